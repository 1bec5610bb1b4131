import { crc32 } from 'node:zlib'
import t from '../../tap.js'
import { redactText } from '../../../lib/security/redaction.js'
import { hashToken, makeToken, readToken } from '../../../lib/security/tokens.js'

const workspaces = [
  '00000000-0000-0000-0000-000000000000', '01900000-0000-7000-8000-000000000001', 'ffffffff-ffff-ffff-ffff-ffffffffffff'
]
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A token of this body, with the checksum that it should have. */
const withChecksum = (body: string): string => {
  let sum = ''
  for (let left = crc32(body); sum.length < 6; left = Math.floor(left / 62)) sum = alphabet.charAt(left % 62) + sum
  return `stw_pat_${body}${sum}`
}

t.test('a token says of which workspace it is; one without a key is of the first', async (t) => {
  for (const kind of ['pat', 'link', 'sess'] as const) {
    for (const workspaceId of [null, ...workspaces]) {
      const text = makeToken(kind, workspaceId)
      t.same(readToken(kind, text), { workspaceId, hash: hashToken(text) }, text)
      t.equal(redactText(`it is ${text}.`), 'it is [redacted token].')
    }
  }
})

t.test('a token of another kind, with another key, or with more or less in it is none', async (t) => {
  const [, id = '', other = ''] = workspaces
  const text = makeToken('pat', id)
  const key = text.slice(8, 30)
  t.equal(readToken('pat', withChecksum(text.slice(8, -6)))?.workspaceId, id, 'the checksum here is the right one')
  const moved = text.replace(key, makeToken('pat', other).slice(8, 30))
  t.not(moved, text)
  const wrong = [text.replace('pat', 'sess'), moved, text.replace(`${key}_`, ''), `${text}0`, text.slice(0, -1), '',
    'stw_pat_', `stw_pat_${key}_`, withChecksum('1'.repeat(29)), withChecksum(`${key}_${'1'.repeat(31)}`),
    withChecksum(`${'z'.repeat(22)}_${'1'.repeat(30)}`), withChecksum(`${key}_${key}_${'1'.repeat(30)}`)]
  for (const one of wrong) t.equal(readToken('pat', one), undefined, one)
})
