import { SignJWT, exportJWK, generateKeyPair, jwtVerify } from 'jose'

export default async () => {
  const secret = new TextEncoder().encode('a secret of at least 32 bytes ....')
  const signed = await new SignJWT({ name: 'Ann' })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(secret)
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const other = await new SignJWT({ name: 'Bob' })
    .setProtectedHeader({ alg: 'ES256' })
    .sign(privateKey)
  return [
    signed,
    (await jwtVerify(signed, secret)).payload,
    (await jwtVerify(other, publicKey)).payload,
    (await exportJWK(publicKey)).crv,
  ]
}
