import hash from 'object-hash'

export default () => [hash({ b: [1, 2], a: 'x' }), hash({ a: 1 }, { algorithm: 'md5' })]
