import { createReadStream, readFileSync } from 'node:fs'
import type { Checkpoint, PublicKey } from './checkpoint.js'
import { Verifier, type Trust, type Verdict } from './verify.js'

/** Lines are ended by LF alone: readline would end them at U+2028 too, which may be in a text. */
export const verifyText = async (chunks: AsyncIterable<string> | Iterable<string>, trust: Trust): Promise<Verdict> => {
  const verifier = new Verifier(trust)
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) verifier.add(line)
  }
  if (rest !== '') verifier.add(rest)
  return verifier.finish()
}

const readKeys = (file: string): PublicKey[] => {
  // A key that is none verifies nothing.
  const { keys }: { keys?: PublicKey[] } = Object(JSON.parse(readFileSync(file, 'utf8')))
  if (!Array.isArray(keys)) throw new Error(`${file} has no keys: save /.well-known/steward-audit-keys.json`)
  return keys
}

/** A checkpoint on each line. */
const readCheckpoints = (file: string): Checkpoint[] => readFileSync(file, 'utf8').split('\n')
  .filter((line) => line.trim() !== '').map((line) => Object(JSON.parse(line)))

const usage = 'usage: verify-audit FILE [--keys FILE]... [--checkpoints FILE]...'

/** @throws Error for arguments that are none of these */
const readArguments = (args: readonly string[]) => {
  const found: { files: string[], keys: string[], checkpoints: string[] } = { files: [], keys: [], checkpoints: [] }
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (arg !== '--keys' && arg !== '--checkpoints') {
      if (arg.startsWith('--')) throw new Error(usage)
      found.files.push(arg)
      continue
    }
    const file = args[++at]
    if (file === undefined) throw new Error(usage)
    found[arg === '--keys' ? 'keys' : 'checkpoints'].push(file)
  }
  const [file] = found.files
  if (file === undefined || found.files.length > 1) throw new Error(usage)
  return { file, keys: found.keys, checkpoints: found.checkpoints }
}

const describe = (file: string, verdict: Verdict, isTrusted: boolean): string => {
  const { problems, entries, checkpoints, signatures = 0, first, last } = verdict
  const [bad] = problems
  if (bad) {
    const lines = problems.map(({ line, what }) => `line ${line}: ${what}\n`).join('')
    return `${lines}${file}: NOT VERIFIED. ${problems.length} problems, the first in line ${bad.line}\n`
  }
  const range = entries === 0 ? 'no entries' : `entries ${first} to ${last}`
  const keys = isTrusted
    ? ''
    : 'The keys are those that the file itself names: it is consistent, but whoever made it may have made the keys, ' +
      'too. Give the published ones with --keys\n'
  const signed = signatures === 0 ? '' : `, ${signatures} of its approvals by the signatures of passkeys`
  return `${file}: verified, ${range} by ${checkpoints} checkpoints${signed}\n${keys}`
}

/**
 * Checks an export and prints each line that is wrong, with the reason; or that it is verified, and by what.
 * @returns whether it is verified
 * @throws Error for wrong arguments, and for files that cannot be read
 */
export const verifyAudit = async (args: readonly string[]): Promise<boolean> => {
  const { file, keys, checkpoints } = readArguments(args)
  const verdict = await verifyText(createReadStream(file, 'utf8'), {
    keys: keys.length > 0 ? keys.flatMap(readKeys) : undefined,
    checkpoints: checkpoints.flatMap(readCheckpoints)
  })
  process.stdout.write(describe(file, verdict, keys.length > 0))
  return verdict.problems.length === 0
}
