import i18next from 'i18next'

export default async () => {
  const i18n = i18next.createInstance()
  await i18n.init({ lng: 'de', resources: { de: { translation: { greet: 'Hallo, {{name}}' } } } })
  return i18n.t('greet', { name: 'Ann' })
}
