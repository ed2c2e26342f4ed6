/** Absolute path of Wizer's program for this machine. */
declare module '@bytecodealliance/wizer' {
  const program: string
  export default program
}
