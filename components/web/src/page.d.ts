/** A page with all it refers to, as the builder makes it of the imported file. */
declare module '*.html' {
  const page: import('./site.ts').Page
  export default page
}

/** Styles that become part of the script that imports them. */
declare module '*.css' {}
