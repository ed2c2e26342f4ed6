/**
 * The checksum of a PNG chunk full of zeros, without going through the zeros.
 *
 * A CRC is a remainder of polynomials over two elements, and a zero byte multiplies it by x⁸. So n zero bytes are
 * one multiplication by x⁸ⁿ, found by squaring: a few hundred steps however long the chunk is, which matters
 * where JavaScript is interpreted.
 *
 * @see https://www.w3.org/TR/png-3/#5CRC-algorithm
 */

/** The CRC-32 polynomial, lowest power at the highest bit. */
const POLYNOMIAL = 0xedb88320
/** x⁰ and x⁸ in the same order of bits. */
const ONE = 0x80000000
const X_8 = 0x00800000

/** CRC-32 of `first` followed by `zeros` zero bytes, as an unsigned number. */
export function crcWithZeros(first: Uint8Array, zeros: number): number {
  let register = 0xffffffff
  for (const byte of first) {
    register ^= byte
    for (let bit = 0; bit < 8; bit++) register = timesX(register)
  }
  return ~multiply(register, power(X_8, zeros)) >>> 0
}

function power(base: number, exponent: number): number {
  let result = ONE
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = multiply(result, base)
    base = multiply(base, base)
  }
  return result
}

function multiply(a: number, b: number): number {
  let product = 0
  for (let bits = a; bits !== 0; bits <<= 1) {
    if ((bits & ONE) !== 0) product ^= b
    b = timesX(b)
  }
  return product
}

function timesX(value: number): number {
  return (value >>> 1) ^ ((value & 1) === 1 ? POLYNOMIAL : 0)
}
