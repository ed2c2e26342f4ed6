import url from 'unenv/node/url'
export * from 'unenv/node/url'
export default url
