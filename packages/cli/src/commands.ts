import { allOf, body, itemsOf } from 'steward-client'
import { ask } from './ask.js'
import { cardOf, listOf } from './card.js'
import { connect } from './connect.js'
import { decide, decideUnseen, readApproval, type Answer, type Context, type Outcome } from './decide.js'
import { deploy } from './deploy.js'
import { exits, UsageError } from './exits.js'
import { login, logout, servers, whoami } from './login.js'
import { logs } from './logs.js'
import type { Terminal } from './terminal.js'

export interface Option {
  /** The name of its value; without one it is a switch. */
  value?: string
  short?: string
  summary: string
}

export type Values = Record<string, string | boolean | undefined>

export interface Input { terminal: Terminal, values: Values, words: string[] }

export interface Command {
  /** Names of its words; those in brackets may be left out. */
  words: string[]
  summary: string
  options: Record<string, Option>
  run: (input: Input) => Promise<number> | number
}

export const everywhere: Record<string, Option> = {
  server: { value: 'URL', summary: 'the Steward to talk to; else STEWARD_SERVER, else that of `steward servers`' },
  token: { value: 'TOKEN', summary: 'a token for this command; else STEWARD_TOKEN, else what `steward login` kept' },
  json: { summary: 'JSON, one value a line' },
  help: { short: 'h', summary: 'this text' }
}

const text = (values: Values, name: string): string | undefined => {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

const contextOf = ({ terminal, values }: Input): Context =>
  ({ terminal, connection: connect(terminal, { server: text(values, 'server'), token: text(values, 'token') }) })

const isJson = ({ values }: Input): boolean => values.json === true

const outcomes: Record<Outcome, number> = {
  approved: exits.done,
  rejected: exits.done,
  counted: exits.waits,
  left: exits.waits,
  over: exits.failed,
  interrupted: exits.interrupted
}

const inbox = async (input: Input): Promise<number> => {
  const context = contextOf(input)
  const { terminal, connection } = context
  const [id] = input.words
  if (id !== undefined) {
    const approval = await readApproval(connection, id)
    if (isJson(input)) terminal.json(approval)
    else terminal.print(cardOf(terminal, approval))
    return exits.done
  }
  const load = (cursor: string | undefined) => body(connection.steward.api.GET('/api/v1/agent/confirmations', {
    params: { query: { view: 'to_decide', limit: 100, ...(cursor !== undefined && { cursor }) } }
  }))
  const waiting = await allOf(itemsOf(load))
  if (isJson(input)) for (const approval of waiting) terminal.json(approval)
  else terminal.print(waiting.length === 0 ? 'Nothing waits for you.' : listOf(waiting))
  return exits.done
}

const decideAs = async (input: Input, answer: Answer): Promise<number> => {
  const context = contextOf(input)
  const approval = await readApproval(context.connection, input.words[0] ?? '')
  const digest = text(input.values, 'digest')
  if (digest !== undefined) return outcomes[await decideUnseen(context, approval, digest, answer)]
  // Without a person, and without the digest of what was read, nobody would know what is approved.
  if (answer.approved && context.terminal.isInteractive) return outcomes[await decide(context, approval)]
  if (answer.approved) throw new UsageError('No person is at this terminal: give the --digest of what was read')
  return outcomes[await decideUnseen(context, approval, approval.input_digest, answer)]
}

const digest: Option = { value: 'DIGEST', summary: 'of the plan as it was read: decides without asking' }

export const commands: Record<string, Command> = {
  ask: {
    words: ['MESSAGE'],
    summary: 'says something to the assistant, and has you decide what it asks',
    options: {
      session: { value: 'ID', summary: 'goes on with this conversation' },
      project: { value: 'ID', summary: 'with the instructions of this project' }
    },
    run: (input) => ask(contextOf(input), input.words[0] ?? '', {
      session: text(input.values, 'session'), project: text(input.values, 'project'), json: isJson(input)
    })
  },
  inbox: { words: ['[ID]'], summary: 'lists what waits for you, or shows one approval', options: {}, run: inbox },
  approve: {
    words: ['ID'],
    summary: 'shows an approval, and asks you',
    options: { digest },
    run: (input) => decideAs(input, { approved: true })
  },
  reject: {
    words: ['ID'],
    summary: 'rejects an approval',
    options: {
      reason: { value: 'TEXT', summary: 'why; the assistant reads it' },
      changes: { value: 'TEXT', summary: 'what to propose instead' },
      digest
    },
    run: (input) => {
      const [reason, changes] = [text(input.values, 'reason'), text(input.values, 'changes')]
      return decideAs(input, {
        approved: false, ...(reason !== undefined && { reason }), ...(changes !== undefined && { changes })
      })
    }
  },
  logs: {
    words: ['NAME'],
    summary: 'shows the log of a service',
    options: {
      follow: { short: 'f', summary: 'goes on until Ctrl-C' },
      function: { summary: 'NAME is a function' },
      since: { value: 'TIME', summary: 'such as 15m, 2h, or a time' },
      filter: { value: 'PATTERN', summary: 'of CloudWatch, such as ERROR' },
      container: { value: 'NAME', summary: 'only this container' }
    },
    run: (input) => logs(contextOf(input), input.words[0] ?? '', {
      follow: input.values.follow === true,
      isFunction: input.values.function === true,
      since: text(input.values, 'since'),
      filter: text(input.values, 'filter'),
      container: text(input.values, 'container'),
      json: isJson(input)
    })
  },
  deploy: {
    words: ['APP'],
    summary: 'shows what a deployment changes, asks you, and follows its build',
    options: {
      ref: { value: 'REF', summary: 'a branch, tag or commit' },
      commit: { value: 'HASH', summary: 'exactly this commit' },
      image: { value: 'IMAGE', summary: 'this image' },
      digest,
      detach: { short: 'd', summary: 'does not wait for its end' }
    },
    run: (input) => {
      const [ref, commit, image, digest] = ['ref', 'commit', 'image', 'digest'].map((name) => text(input.values, name))
      return deploy(contextOf(input), input.words[0] ?? '',
        { ref, commit, image, digest, detach: input.values.detach === true, json: isJson(input) })
    }
  },
  login: {
    words: [],
    summary: 'signs in by a page in any browser; with --token keeps a token (- reads it from the input)',
    options: {
      'client-id': { value: 'ID', summary: 'as this client of the server' },
      scope: { value: 'SCOPES', summary: 'only these' }
    },
    run: ({ terminal, values }) => login(terminal, {
      server: text(values, 'server'),
      token: text(values, 'token'),
      clientId: text(values, 'client-id'),
      scope: text(values, 'scope')
    })
  },
  logout: {
    words: [],
    summary: 'ends the sign-in',
    options: {},
    run: ({ terminal, values }) => logout(terminal, { server: text(values, 'server') })
  },
  servers: {
    words: ['[SERVER]'],
    summary: 'lists the servers that are signed in to; makes SERVER the default',
    options: {},
    run: (input) => servers(input.terminal, input.words[0], isJson(input))
  },
  whoami: {
    words: [],
    summary: 'says who the credentials are',
    options: {},
    run: (input) => whoami(input.terminal,
      { server: text(input.values, 'server'), token: text(input.values, 'token') }, isJson(input))
  }
}
