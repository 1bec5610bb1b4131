import t from '../../tap.js'
import { canonicalJson, digestOf, linkEntry, noHash, type Entry } from '../../../lib/record/entry.js'
import { makeKeyPair, signCheckpoint, toPublicKey, type Checkpoint } from '../../../lib/record/checkpoint.js'
import { verifyText } from '../../../lib/record/verify-file.js'

const workspace = '01900000-0000-7000-8000-00000000000a'
const { x, pem } = makeKeyPair()
const kid = '01900000-0000-7000-8000-00000000000b'
const key = toPublicKey(kid, x)

/** Numbers that are random and the same each time (mulberry32). */
const randomFrom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let z = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  z = (z + Math.imul(z ^ (z >>> 7), 61 | z)) ^ z
  return ((z ^ (z >>> 14)) >>> 0) / 4_294_967_296
}

const idOf = (seq: number) => `01900000-0000-7000-8000-${seq.toString(16).padStart(12, '0')}`

const entryOf = (seq: number, previous: string): Entry => linkEntry({
  workspace_id: workspace,
  seq,
  id: idOf(seq),
  at: new Date(1_790_000_000_000 + seq * 1_000).toISOString(),
  kind: 'direct',
  write_id: idOf(seq),
  operation: ['scaleService', 'createProject', 'confirm'][seq % 3] ?? '',
  target: seq % 4 === 0 ? null : `prod~web~${seq}`,
  outcome: 'succeeded',
  status: 200,
  user_id: idOf(seq % 7),
  via: 'browser',
  via_id: null,
  remote_address: '127.0.0.1',
  request_id: `req-${seq}`,
  body: { input: { count: seq, text: `Zeile ${seq}\u2028"ü" \u{1F600}`, 10: 'a', 9: 'b' } },
  previous
})

/** An export of so many entries, with a checkpoint behind each tenth and the last. */
const makeExport = (count: number): (Entry | Checkpoint)[] => {
  const parts: (Entry | Checkpoint)[] = []
  let [hash, digest]: [string, string | null] = [noHash, null]
  for (let seq = 1; seq <= count; seq++) {
    const entry = entryOf(seq, hash)
    parts.push(entry)
    hash = entry.hash
    if (seq % 10 !== 0 && seq !== count) continue
    const signed = signCheckpoint(
      { workspace_id: workspace, seq, hash, at: entry.at, previous: digest, key_id: kid }, pem)
    digest = digestOf(signed)
    parts.push(signed)
  }
  return parts
}

const linesOf = (parts: readonly (Entry | Checkpoint)[], keys = [key]): string[] => {
  const entries = parts.filter((part): part is Entry => part.type === 'entry')
  const checkpoint = parts.findLast((part) => part.type === 'checkpoint') ?? null
  const header = {
    type: 'export',
    version: 1,
    workspace_id: workspace,
    at: '2026-01-01T00:00:00.000Z',
    filters: null,
    after: { seq: 0, hash: noHash },
    checkpoint,
    keys
  }
  const last = entries.at(-1)
  const end = { type: 'end', entries: entries.length, seq: last?.seq ?? 0, hash: last?.hash ?? noHash }
  return [header, ...parts, end].map(canonicalJson)
}

const verify = (lines: readonly string[], trust: Parameters<typeof verifyText>[1] = {}) =>
  verifyText([`${lines.join('\n')}\n`], trust)

t.test('an export as it was made is verified, however its text is cut into pieces', async (t) => {
  const lines = linesOf(makeExport(45))
  const whole = { problems: [], entries: 45, checkpoints: 5, first: 1, last: 45 }
  t.same(await verify(lines), whole)
  t.same(await verify(lines, { keys: [key] }), whole)
  t.same(await verifyText([...`${lines.join('\n')}\n`], {}), whole)
  t.same(await verify(linesOf([])), { problems: [], entries: 0, checkpoints: 0, first: 0, last: 0 })
})

/** What is done to the lines between header and end. @returns numbers of lines of which one must be named */
type Damage = (lines: string[], random: () => number) => number[]

const at = (random: () => number, lines: readonly string[]): number => 1 + Math.floor(random() * (lines.length - 2))

const damages: Record<string, Damage> = {
  'a value is changed' (lines, random) {
    const index = at(random, lines)
    const fields: Record<string, unknown> = Object(JSON.parse(lines[index] ?? ''))
    const names = Object.keys(fields)
    const name = names[Math.floor(random() * names.length)] ?? ''
    const was = fields[name]
    fields[name] = typeof was === 'number'
      ? was + 1 + Math.floor(random() * 5)
      : typeof was === 'string' ? `${was.slice(0, -1)}${was.endsWith('0') ? '1' : '0'}` : 'other'
    lines[index] = canonicalJson(fields)
    return [index, index + 1]
  },
  'a byte is changed' (lines, random) {
    const index = at(random, lines)
    const text = lines[index] ?? ''
    const offset = Math.floor(random() * text.length)
    const code = text.charCodeAt(offset) ^ 1
    lines[index] = text.slice(0, offset) + String.fromCharCode(code < 32 ? 63 : code) + text.slice(offset + 1)
    return [index, index + 1]
  },
  'a line is dropped' (lines, random) {
    const index = at(random, lines)
    lines.splice(index, 1)
    // What follows names it: for a checkpoint the next one, or the end.
    return lines.map((_, line) => line).filter((line) => line >= index)
  },
  'a line is there twice' (lines, random) {
    const index = at(random, lines)
    lines.splice(at(random, lines), 0, lines[index] ?? '')
    return lines.map((_, line) => line)
  },
  'two lines are swapped' (lines, random) {
    const index = at(random, lines)
    const other = 1 + (index + Math.floor(random() * (lines.length - 4))) % (lines.length - 2)
    const [a, b] = [lines[index] ?? '', lines[other] ?? '']
    lines[index] = b
    lines[other] = a
    return a === b ? [] : lines.map((_, line) => line).filter((line) => line >= Math.min(index, other))
  },
  'an entry is inserted that is linked as it should be' (lines, random) {
    const index = at(random, lines)
    const before = JSON.parse(lines[index] ?? '') as Entry | Checkpoint
    const { type: _, hash: _hash, ...next } = entryOf(before.seq + 1, before.hash)
    lines.splice(index + 1, 0, canonicalJson(linkEntry({ ...next, outcome: 'forged' })))
    return lines.map((_, line) => line).filter((line) => line > index)
  },
  'everything after an entry is made anew, but for signatures' (lines, random) {
    const index = at(random, lines)
    let previous: string | undefined
    for (let line = index; line < lines.length - 1; line++) {
      const part = JSON.parse(lines[line] ?? '') as Entry | Checkpoint
      if (part.type === 'checkpoint') {
        if (previous !== undefined) lines[line] = canonicalJson({ ...part, hash: previous })
        continue
      }
      const { type: _, hash: _hash, ...entry } = part
      const made = linkEntry({ ...entry, ...(previous === undefined ? { outcome: 'forged' } : { previous }) })
      previous = made.hash
      lines[line] = canonicalJson(made)
    }
    return previous === undefined ? [] : lines.map((_, line) => line).filter((line) => line >= index)
  },
  'two checkpoints are swapped' (lines, random) {
    const positions = lines.flatMap((line, index) => line.includes('"type":"checkpoint"') && index > 0 ? [index] : [])
    const first = Math.floor(random() * (positions.length - 1))
    const [a = 0, b = 0] = [positions[first], positions[first + 1]]
    const [one, two] = [lines[a] ?? '', lines[b] ?? '']
    lines[a] = two
    lines[b] = one
    return [a, b]
  },
  'the last entries are cut off, and the end is made to fit' (lines, random) {
    const index = at(random, lines)
    const parts = lines.slice(1, index).map((line) => JSON.parse(line) as Entry | Checkpoint)
    const made = linesOf(parts)
    lines.splice(1, lines.length, ...made.slice(1))
    return lines.map((_, line) => line)
  }
}

/** Each kind as often, 10,000 in all. */
const rounds = Math.ceil(10_000 / Object.keys(damages).length)

for (const [name, damage] of Object.entries(damages)) {
  t.test(`${name}: found and named, ${rounds} times`, async (t) => {
    const random = randomFrom(name.length * 7_919)
    const original = linesOf(makeExport(31))
    const missed: string[] = []
    for (let round = 0; round < rounds; round++) {
      const lines = [...original]
      const expected = damage(lines, random)
      if (lines.join('\n') === original.join('\n')) continue
      const { problems } = await verify(lines)
      const named = problems.some(({ line }) => expected.includes(line - 1))
      if (!named) missed.push(`${round}: ${JSON.stringify({ expected: expected.slice(0, 3), problems })}`)
    }
    t.same(missed.slice(0, 5), [])
  })
}

t.test('a signature that is written in another way is found, though it decodes to the same bytes', async (t) => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const parts = makeExport(10)
  const signed = parts.at(-1) as Checkpoint
  const last = letters.indexOf(signed.signature.at(-1) ?? '')
  for (let other = last + 1; other < last + 16; other++) {
    const signature = `${signed.signature.slice(0, -1)}${letters[other]}`
    t.same(Buffer.from(signature, 'base64url'), Buffer.from(signed.signature, 'base64url'))
    const { problems } = await verify(linesOf([...parts.slice(0, -1), { ...signed, signature }]))
    t.same(problems.map(({ what }) => what), ['checkpoint 10 has a signature that is not valid'])
  }
})

t.test('whoever makes the keys too is found by published ones, and by a checkpoint that was sent away', async (t) => {
  const lines = linesOf(makeExport(20))
  const other = toPublicKey(kid, makeKeyPair().x)
  const { problems } = await verify(lines, { keys: [other] })
  t.same(problems.map(({ what }) => what), [
    'checkpoint 10 has a signature that is not valid', 'checkpoint 20 has a signature that is not valid'])
  const unknown = await verify(lines, { keys: [] })
  t.match(unknown.problems[0]?.what, /is signed with a key that is not trusted/)

  const whole = makeExport(31)
  const sent = whole.filter((part): part is Checkpoint => part.type === 'checkpoint')
  t.same((await verify(linesOf(whole), { checkpoints: sent })).problems, [])
  const shorter = linesOf(whole.slice(0, 22))
  t.same((await verify(shorter)).problems, [], 'an older export is whole in itself')
  t.same((await verify(shorter, { checkpoints: sent })).problems.map(({ what }) => what),
    [30, 31].map((seq) => `the checkpoint at ${seq}, which was sent away, is not here`))
})

t.test('after retention has removed a prefix, its checkpoint proves the rest', async (t) => {
  const parts = makeExport(25)
  const cut = parts.findIndex((part) => part.type === 'checkpoint')
  const proof = parts[cut] as Checkpoint
  const rest = parts.slice(cut)
  const lines = linesOf(rest)
  const header = { ...Object(JSON.parse(lines[0] ?? '')), after: { seq: proof.seq, hash: proof.hash } }
  const [, ...others] = lines
  t.same(await verify([canonicalJson(header), ...others]),
    { problems: [], entries: 15, checkpoints: 3, first: 11, last: 25 })
  const without = await verify([canonicalJson(header), ...others.slice(1)])
  t.match(without.problems[0]?.what, /does not follow the checkpoint before it/)
  const forged = { ...header, after: { seq: proof.seq, hash: 'f'.repeat(64) } }
  t.not((await verify([canonicalJson(forged), ...others])).problems.length, 0)
})
