import { asAdmin } from '../app.js'
import { input } from '../routes/content/actors.js'

interface Shown {
  status: string
  id: string
  steps: { key: string, attempt: number }[]
  outputs: { content_id: string }[]
  generation: { id: string }
}

const call = async (url: string, path: string, body?: object): Promise<Shown> => {
  const answer = await fetch(url + path, {
    headers: { ...asAdmin, ...(body && { 'content-type': 'application/json' }), prefer: 'respond-async' },
    ...(body && { method: 'POST', body: JSON.stringify(body) })
  })
  if (!answer.ok) throw new Error(`${path} ${answer.status} ${await answer.text()}`)
  // Records and generations of content, as any client reads them.
  return await answer.json() as Shown
}

export const get = (url: string, path: string): Promise<Shown> => call(url, path)

/** What people do in these tests, at one Steward. */
export const actorOf = (url: string) => ({
  /** @returns the id of a generation that has just begun */
  async begin (title: string): Promise<string> {
    const project = await call(url, '/account/projects', { name: title })
    const brief = await call(url, '/content/briefs', input(project.id, { title }))
    const begun = await call(url, '/content/generate', { engine: 'anthropic', brief_id: brief.id })
    return begun.generation.id
  }
})

export const until = async (read: () => Promise<Shown>, fits: (value: Shown) => boolean): Promise<Shown> => {
  for (const end = Date.now() + 90_000; ;) {
    const value = await read()
    if (fits(value)) return value
    if (Date.now() > end) throw new Error(`It stayed ${JSON.stringify(value)}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
