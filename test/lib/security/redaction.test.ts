import t from '../../tap.js'
import { maskText, redactRead, redactText } from '../../../lib/security/redaction.js'
import { redact, redactValueRead } from '../../../lib/security/redaction.js'

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

t.test('S4: what was read loses the values of secrets, in whatever form their names are joined with them', (t) => {
  const value = 'wJalrXUtnFEMI/K7MDENG1bPxRfiCYEXAMPLEKEY'
  const forms: Record<string, string> = {
    JSON: `{"SecretAccessKey": "${value}", "Name": "web"}`,
    'JSON in JSON': `{\\"session_token\\":\\"${value}\\"}`,
    YAML: `db_password: ${value}`,
    environment: `STRIPE_API_KEY=${value}`,
    export: `export API_TOKEN='${value}'`,
    INI: `secret_access_key = ${value}`,
    TOML: `client-secret = "${value}"`,
    Ruby: `:password => "${value}"`,
    query: `?user=a&access_token=${value}&x=1`,
    header: `X-Api-Key: ${value}`,
    'connection string': `Endpoint=sb://x;SharedAccessKey=${value};a=b`,
    'storage account': `AccountName=a;AccountKey=${value}`,
    properties: `spring.datasource.password=${value}`,
    'camel case': `clientSecret: '${value}'`,
    XML: `<add password="${value}" />`
  }
  for (const [form, text] of Object.entries(forms)) {
    t.equal(redactRead(text), text.replace(value, '[redacted]'), form)
  }
  const kept = ['"NextToken": "eyJ2IjoxfQ123456"', 'next_page_token=abc123456', 'password: a required field',
    'the token is missing', 'password=$DB_PASSWORD1', 'secret: arn:aws:secretsmanager:eu-west-1:1:secret:x',
    'TOKEN=process.env.TOKEN_1', 'input_tokens: 123456', 'secret_name: prod/db-2024', 'token_count = 1234567']
  for (const text of kept) t.equal(redactRead(text), text)
  const answer = {
    Credentials: { AccessKeyId: 'x', SecretAccessKey: value, SessionToken: value },
    NextToken: value,
    password: 'none',
    list: [{ apiKey: value, api_key_id: value }]
  }
  t.same(redactValueRead(answer), {
    Credentials: { AccessKeyId: 'x', SecretAccessKey: '[redacted]', SessionToken: '[redacted]' },
    NextToken: value,
    password: 'none',
    list: [{ apiKey: '[redacted]', api_key_id: value }]
  })
  t.same(redact(answer), answer, 'what is sent stays as it is')
  t.end()
})
