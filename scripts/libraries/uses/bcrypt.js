import bcrypt from 'bcrypt'

export default async () => bcrypt.compare('secret', await bcrypt.hash('secret', 4))
