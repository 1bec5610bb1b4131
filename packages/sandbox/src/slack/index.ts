import type { FastifyInstance } from 'fastify'
import { buildWire, startOnLoopback } from '../wire.js'
import { SlackPeople, type SlackApp } from './people.js'
import { SlackWorkspace } from './workspace.js'

export type { SlackMessage } from './workspace.js'

/** A workspace of which a test reads everything. */
export type SlackSandbox = SlackWorkspace & { url: string, close: () => Promise<void> }

const bodyLimit = 1_048_576

export const startSlackSandbox = async (token: string, signingSecret: string): Promise<SlackSandbox> => {
  const workspace = new SlackWorkspace(token, signingSecret)
  const app = buildWire({ bodyLimit }, async (request) => workspace.answer(request))
  const { url, close } = await startOnLoopback(app, '', {})
  return Object.assign(workspace, { url: `${url}/api/`, close })
}

export interface SlackSandboxOptions extends SlackApp { token: string, signingSecret: string }

/** The Web API below `/api`, and a page for each person below `/people`. */
export const buildSlackSandbox = ({ token, signingSecret, ...app }: SlackSandboxOptions): FastifyInstance => {
  const workspace = new SlackWorkspace(token, signingSecret)
  const people = new SlackPeople(workspace, signingSecret, app)
  return buildWire({ bodyLimit }, async (request) =>
    request.url.startsWith('/people/') ? people.answer(request) : workspace.answer(request))
}
