import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from '../../tap.js'

const run = promisify(execFile)
const cli = resolve('node_modules/@fission-ai/openspec/bin/openspec.js')

export interface File { path: string, content: string }
export interface Verdict { id: string, valid: boolean, issues: unknown[] }

/** A folder for OpenSpec's own command, which writes and calls nothing outside of it. */
export const makeProject = (t: Pick<Test, 'teardown'>) => {
  const folder = mkdtempSync(join(tmpdir(), 'steward-openspec-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const env = { PATH: process.env.PATH, HOME: folder, OPENSPEC_TELEMETRY: '0', DO_NOT_TRACK: '1', CI: 'true' }
  const call = async (...args: string[]): Promise<string> => {
    const started = run(process.execPath, [cli, ...args], { cwd: folder, env })
    // It writes its findings to the same stream, with another exit code.
    return (await started.catch((error: { stdout: string }) => error)).stdout
  }
  return {
    write (files: readonly File[]): void {
      for (const { path, content } of files) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), content)
      }
    },
    read: (path: string): string => readFileSync(join(folder, path), 'utf8'),
    changes: (): string[] =>
      readdirSync(join(folder, 'openspec/changes')).filter((name) => name !== 'archive').sort(),
    /** Validates a change or a main spec. */
    async validate (name: string, type: 'change' | 'spec' = 'change'): Promise<Verdict[]> {
      const output = await call('validate', name, '--type', type, '--strict', '--json')
      return (JSON.parse(output) as { items: Verdict[] }).items
    },
    async validateChanges (): Promise<Verdict[]> {
      return (JSON.parse(await call('validate', '--changes', '--strict', '--json')) as { items: Verdict[] }).items
    },
    archive: (name: string): Promise<string> => call('archive', name, '--yes')
  }
}
