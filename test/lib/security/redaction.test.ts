import t from '../../tap.js'
import { maskText, redactText } from '../../../lib/security/redaction.js'
import { redact } from '../../../routes/agent/lib/redact.js'

// Put together here, so that a scan of the repository does not take them for real ones.
const jwt = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0NTY3ODkwIn0', 'dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP'].join('.')
const key = `-----BEGIN ${'RSA PRIVATE KEY'}-----\nabc\n-----END ${'RSA PRIVATE KEY'}-----`
const aws = `AKIA${'IOSFODNN7EXAMPLE'}`

t.test('S4: credentials are found wherever they stand, also behind what only looks like one', (t) => {
  const cases: [string, string][] = [
    [`a ${jwt} b`, 'a [redacted token] b'],
    [`x-${jwt}.more`, 'x-[redacted token].more'],
    [`${'eyJ-'.repeat(9)}${jwt}`, '[redacted token]'],
    [`eyJaaaaaaaaaaa.x ${jwt}`, 'eyJaaaaaaaaaaa.x [redacted token]'],
    ['eyJaaaaaaaaaaa.eyJbbbbbbbbbbb', 'eyJaaaaaaaaaaa.eyJbbbbbbbbbbb'],
    ['http://h:3000/x postgres://u:p@ss@h/x', 'http://h:3000/x postgres://u:[redacted]@ss@h/x'],
    ['see https://a.b/c:d,postgres://u:p/w@h', 'see https://a.b/c:d,postgres://u:[redacted]@h'],
    ['"url":"amqp://u:p@h"', '"url":"amqp://u:[redacted]@h"'],
    ['Authorization: Bearer abc.def', 'Authorization: Bearer [redacted]'],
    [`aws_secret_access_key = ${'a'.repeat(40)}`, 'aws_secret_access_key = [redacted]'],
    [`${key} and ${key.slice(0, 40)}`, '[redacted private key] and [redacted private key]'],
    [aws, '[redacted access key]']
  ]
  for (const [text, expected] of cases) {
    t.equal(redactText(text), expected)
    t.equal(maskText(text).length, text.length)
  }
  t.equal(maskText(`http://u:secret@h ${aws}`), `http://u:*******h ${'*'.repeat(20)}`)
  t.end()
})

t.test('S4: a value without credentials is passed on as it is; one that is too deep is cut off', (t) => {
  const value = { a: ['x', { b: 1, c: null }], d: '😀' }
  t.equal(redact(value), value)
  t.same(redact({ [aws]: [`${aws}\0\ud800`, 1] }), { '[redacted access key]': ['[redacted access key]\ufffd', 1] })
  let deep: unknown = aws
  for (let level = 0; level < 100_000; level++) deep = [deep]
  const text = JSON.stringify(redact(deep))
  t.equal(text, `${'['.repeat(100)}"[nested too deeply]"${']'.repeat(100)}`)
  t.end()
})
