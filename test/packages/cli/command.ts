import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from '../../tap.js'

const built = join(process.cwd(), 'deploy/steward.mjs')

/** A command that waits for a person who never comes is ended: its test fails then, and not the whole file. */
const longestMs = 60_000

export interface Ended { code: number | null, out: string, err: string }

export interface Command {
  child: ChildProcess
  /** @returns what stands on the screen once the text is there */
  until: (text: string) => Promise<string>
  type: (text: string) => void
  ended: Promise<Ended>
}

/** Ids, times, digests and lengths of time by their kind, so that a whole output can be compared. */
export const masked = (text: string): string => text
  .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
  .replace(/sha256:[0-9a-f]{64}/g, '<digest>')
  .replace(/http:\/\/127\.0\.0\.1:\d+/g, '<server>')
  .replace(/\b(?:in )?\d+ (?:d|h|min|s)\b(?: ago)?/g, '<when>')

/**
 * Runs the commands of one person, who has a folder of their own.
 * @param file what is run: the command that was built, or one that was installed
 */
export const commandsOf = (t: Pick<Test, 'teardown'>, env: Record<string, string>, file = built) => {
  const home = mkdtempSync(join(tmpdir(), 'steward-cli-'))
  t.teardown(() => rmSync(home, { recursive: true, force: true }))
  const whole = { PATH: process.env.PATH ?? '', HOME: home, XDG_CONFIG_HOME: home, TERM: 'xterm', ...env }

  const watch = (child: ChildProcess): Command => {
    const texts = { out: '', err: '' }
    const waiting = new Set<() => void>()
    const take = (name: 'out' | 'err') => (piece: Buffer) => {
      texts[name] += piece.toString()
      for (const look of waiting) look()
    }
    child.stdout?.on('data', take('out'))
    child.stderr?.on('data', take('err'))
    const ended = new Promise<Ended>((resolve) => { child.on('close', (code) => resolve({ code, ...texts })) })
    const overdue = setTimeout(() => child.kill('SIGKILL'), longestMs)
    void ended.then(() => clearTimeout(overdue))
    t.teardown(() => { child.kill('SIGKILL') })
    const until = (text: string) => new Promise<string>((resolve, reject) => {
      const look = () => {
        if (!(texts.out + texts.err).includes(text)) return
        waiting.delete(look)
        resolve(texts.out + texts.err)
      }
      waiting.add(look)
      void ended.then(() => reject(new Error(`It ended without ${text}: ${JSON.stringify(texts)}`)))
      look()
    })
    return { child, until, ended, type: (text) => { child.stdin?.write(text) } }
  }

  /** With pipes, as a script would. */
  const start = (args: string[], more: Record<string, string> = {}): Command =>
    watch(spawn(process.execPath, [file, ...args], { env: { ...whole, ...more } }))

  const run = (args: string[], more: Record<string, string> = {}, input = ''): Promise<Ended> => {
    const command = start(args, more)
    command.child.stdin?.end(input)
    return command.ended
  }

  /** At a terminal of its own, which util-linux's `script` makes. */
  const atTerminal = (args: string[], more: Record<string, string> = {}): Command => {
    const quoted = [process.execPath, file, ...args].map((word) => `'${word.replaceAll('\'', '\'\\\'\'')}'`).join(' ')
    return watch(spawn('script', ['-qefc', quoted, '/dev/null'], { env: { ...whole, SHELL: '/bin/sh', ...more } }))
  }

  /** A line as a person types it at a terminal that shows text alone, in a shell that finds the command. */
  const inShell = (line: string, more: Record<string, string> = {}): Command => {
    const folder = join(home, 'bin')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'steward'), `#!/bin/sh\nexec '${process.execPath}' '${file}' "$@"\n`, { mode: 0o755 })
    const own = { SHELL: '/bin/sh', TERM: 'dumb', PATH: `${folder}:${whole.PATH}` }
    return watch(spawn('script', ['-qefc', line, '/dev/null'], { env: { ...whole, ...own, ...more } }))
  }
  return { home, start, run, atTerminal, inShell }
}
