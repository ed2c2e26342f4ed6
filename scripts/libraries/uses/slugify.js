import slugify from 'slugify'

export default () => [
  slugify('Äpfel & Öl, naïve café!', { lower: true, strict: true }),
  slugify('Привет мир'),
]
