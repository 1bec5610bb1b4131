import { readFileSync } from 'node:fs'
import t from '../tap.js'
import { asAdmin, buildApp } from '../app.js'
import { makePerson } from '../routes/account/actors.js'

const app = await buildApp(t, { SANDBOX: 'off', LIMITS: JSON.stringify({ requests_per_minute: 5_000 }) })

interface Request { language: string, needed: string[], text: string, isBlind: boolean }

const requestsIn = (file: string): Request[] =>
  readFileSync(`test/recall/${file}.tsv`, 'utf8').trimEnd().split('\n').map((line, index) => {
    const [language = '', needed = '', text = ''] = line.split('\t')
    return { language, needed: needed.split(','), text, isBlind: index % 3 === 2 }
  })

/**
 * Written before the tools' words, except `later`, `last`, `fresh` and `work`: of those, 53 of 60, 31 of 40, 52 of 60
 * and 17 of 20 were found when they were written, and words were added since. Every third request was not looked at
 * while words were chosen.
 */
const requests = ['requests', 'later', 'last', 'fresh', 'work'].flatMap(requestsIn)

const search = (query: string, headers: Record<string, string> = asAdmin) =>
  app.inject({ url: '/api/v1/agent/tools', query: { query }, headers })

const find = async (query: string, headers?: Record<string, string>): Promise<string[]> =>
  (await search(query, headers)).json().names

/** Each request is made once: there is a limit to how many there may be in a minute. */
const answers = new Map<string, Promise<string[]>>()
const findOnce = (text: string): Promise<string[]> => {
  const answer = answers.get(text) ?? find(text)
  answers.set(text, answer)
  return answer
}

/** One after the other: hundreds at once wait longer for a connection than a busy machine lets them. */
const missed = async (some: readonly Request[]): Promise<Request[]> => {
  const lost: Request[] = []
  for (const request of some) {
    const names = await findOnce(request.text)
    if (!request.needed.every((name) => names.includes(name))) lost.push(request)
  }
  return lost
}

const share = (some: readonly Request[], lost: readonly Request[]) => (some.length - lost.length) / some.length

t.test('the requests cover every tool, in five languages', async (t) => {
  t.ok(requests.length >= 300)
  t.same([...new Set(requests.map(({ language }) => language))].toSorted(), ['de', 'en', 'es', 'fr', 'ja'])
  const needed = new Set(requests.flatMap((request) => request.needed))
  t.same([...needed].filter((name) => !app.tools.find(name)), [])
  const all = app.tools.writes()
  t.same(all.filter((name) => !needed.has(name)), [])
})

for (const isBlind of [false, true]) {
  t.test(`the tools that a request needs are among the first eight, ${isBlind ? 'blind' : 'seen'}`, async (t) => {
    const some = requests.filter((request) => request.isBlind === isBlind)
    const lost = await missed(some)
    t.comment(`${some.length - lost.length} of ${some.length}`)
    t.ok(share(some, lost) >= 0.95, 'in 95 %', { lost })
  })
}

/**
 * `blind` and `held-out` were written before the vocabulary, whose author knew `held-out`. `unseen` was written
 * after it, by a person who had not read it, and found 58 of 60 at once. No word was added for what is not found.
 */
for (const [file, least] of [['blind', 0.9], ['held-out', 0.95], ['unseen', 0.95]] as const) {
  t.test(`of requests that are not looked at to choose words, those of ${file} are found`, async (t) => {
    const some = requestsIn(file)
    const lost = await missed(some)
    t.comment(`${some.length - lost.length} of ${some.length}`)
    t.ok(share(some, lost) >= least, { lost: lost.length })
    for (const language of ['de', 'en', 'es', 'fr', 'ja']) {
      const spoken = some.filter((request) => request.language === language)
      t.ok(share(spoken, await missed(spoken)) >= 0.9, language)
    }
  })
}

t.test('each language by itself', async (t) => {
  for (const language of ['de', 'en', 'es', 'fr', 'ja']) {
    const some = requests.filter((request) => request.language === language)
    t.ok(share(some, await missed(some)) >= 0.9, language)
  }
})

t.test('the answer has the words of each tool, the best first', async (t) => {
  const { items, names } = (await search('archive a project')).json()
  t.equal(names[0], 'archiveProject')
  t.ok(names.length <= 8)
  t.same(items.map(({ name }: { name: string }) => name), names)
  t.same(items[0], {
    name: 'archiveProject', effect: 'write', description: app.tools.find('archiveProject')?.model.description
  })
})

t.test('only tools are found that the person may use, and never the search itself', async (t) => {
  const { headers } = await makePerson(app, 'Vera', 'viewer')
  const names = await find('archive a project', headers)
  t.ok(names.includes('getProject'))
  t.same(names.filter((name) => app.tools.find(name)?.effect === 'write'), [])
  t.notOk((await find('find tools')).includes('findTools'))
})

t.test('a word with a wrong letter, without its accents or with pronouns at its end is understood', async (t) => {
  for (const [query, name] of [
    ['depoly the shop', 'deployApp'], ['Kosten des letzten Monatz', 'getCosts'],
    ['supprime la specification', 'deleteSpecSession'], ['archívalo, el proyecto', 'archiveProject'],
    ['Zeig die Warenkorbdienste', 'listClusterServices'], ['Brich bitte den Build ab', 'cancelBuild']
  ] as const) t.ok((await find(query)).includes(name), query)
})

t.test('words that no tool has find none; an empty request is refused', async (t) => {
  t.same(await find('xyzzy 🜁'), [])
  const answer = await app.inject({ url: '/api/v1/agent/tools?query=', headers: asAdmin })
  t.match(answer.json(), { status: 400, errors: [{ pointer: '/query' }] })
})
