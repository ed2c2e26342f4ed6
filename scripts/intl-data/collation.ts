export const collationData = () => ({})
