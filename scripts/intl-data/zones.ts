export const zoneData = () => ({})
