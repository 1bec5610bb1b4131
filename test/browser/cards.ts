import type { Locator } from 'playwright-core'
import { asAdmin } from '../app.js'
import { scripted } from '../chat.js'
import { read, say as answers, serviceId, wantsToScale } from '../flows/asking.js'
import { steer } from '../routes/infrastructure/sandbox.js'
import { sendMessage, visit, type startClient } from './browser.js'

export const cells = (of: Locator) => of.locator('.preview td').allTextContents()
export const heads = (of: Locator) => of.locator('.preview thead th').allTextContents()
/** Waits until it, or something in it, has the focus. */
export const holdsFocus = (of: Locator) => of.and(of.page().locator(':focus-within')).waitFor()

interface Waiting { id: string, session_id: string, tool_call_id: string | null, input_digest: string }

/** What tests of cards do to the service `web`, to the inbox and to the sandbox of AWS. */
export const cardsOf = async ({ app, anthropic, url, page }: Awaited<ReturnType<typeof startClient>>) => {
  const web = await serviceId(app, 'web')
  const path = `/infrastructure/containers/services/${encodeURIComponent(web)}`
  const card = page.locator('.approval.pending')
  const post = async (to: string, payload: object) =>
    (await app.inject({ method: 'POST', url: to, headers: asAdmin, payload })).json()
  return {
    web,
    card,
    decided: page.locator('.approval:not(.pending)'),
    post,
    scale: (desired_count: number) => post(`${path}/scale`, { desired_count }),
    count: async (): Promise<number> => (await read(app, path)).desired_count,
    inbox: async (): Promise<Waiting[]> => (await read(app, '/api/v1/agent/confirmations')).items,
    steer: (to: string, method: string, body?: Record<string, unknown>) => steer(app).call(method, `/${to}`, body),
    isDone: () => page.getByText('The assistant is done').waitFor({ state: 'attached' }),
    /** Sends a message in a new chat, so that the assistant wants to scale, and waits for the card. */
    ask: async (desired: number) => {
      await visit(page, `${url}/#/`)
      await sendMessage(page, scripted(anthropic, [wantsToScale([web, desired]), answers('All right.')]))
      await card.waitFor()
    }
  }
}
