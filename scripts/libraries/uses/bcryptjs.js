import bcrypt from 'bcryptjs'

export default async () => [
  bcrypt.hashSync('secret', '$2b$04$abcdefghijklmnopqrstuu'),
  await bcrypt.compare('secret', await bcrypt.hash('secret', 4)),
]
