import type { FastifyInstance } from 'fastify'
import type { BriefBody } from 'steward-prose-engine/schemas'
import { readRoute } from '../../../../lib/http/call-route.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { type Commit, CommitPage } from '../../../../schemas/codehost/commits.js'
import { type PullRequest, PullPage } from '../../../../schemas/codehost/pulls.js'
import type { Brief, CreateReleaseBrief } from '../../../../schemas/content/briefs.js'
import { createBrief } from '../brands/change-brief.js'
import { NothingReleased, requireOpenProject } from '../errors.js'

type Deps = Pick<FastifyInstance, 'inject' | 'tickets'>

/** What a release holds, newest first. `isWhole`: the range had no more commits than are read. */
interface ReleaseRange { commits: Commit[], pulls: PullRequest[], isWhole: boolean }

const pageSize = 100
/** Pages of commits, and of pull requests, that are read: each is a request to the code host. */
const maxPages = 5

interface Page<T> { items: T[], next_cursor: string | null }

/** Reads pages until one has nothing new. @returns the items, and whether there were no more pages */
const readPages = async <T>(read: (query: URLSearchParams) => Promise<Page<T>>, query: Record<string, string>,
  isEnough: (items: readonly T[]) => boolean): Promise<{ items: T[], isWhole: boolean }> => {
  const items: T[] = []
  let cursor: string | null = null
  for (let page = 0; page < maxPages; page++) {
    const next: Page<T> = await read(new URLSearchParams({
      ...query, limit: String(pageSize), ...(cursor !== null && { cursor })
    }))
    items.push(...next.items)
    cursor = next.next_cursor
    if (cursor === null || isEnough(next.items)) return { items, isWhole: true }
  }
  return { items, isWhole: false }
}

const dateOf = ({ committer, author }: Commit): number => new Date(committer.date ?? author.date ?? 0).getTime()

/**
 * Reads by the code host's routes, as the person: the commits of `head` that `base` does not have, and the pull
 * requests that were merged meanwhile.
 * @throws what those routes answer
 */
const readRange = async (deps: Deps, principal: Principal, repo: string, base: string, head?: string):
Promise<ReleaseRange> => {
  const url = `/codehost/repos/${repo}`
  const commitsOf = (query: URLSearchParams) => readRoute(deps, principal, { url: `${url}/commits?${query}` },
    CommitPage)
  const before = await readPages(commitsOf, { ref: base }, () => false)
  const known = new Set(before.items.map(({ sha }) => sha))
  const after = await readPages(commitsOf, head === undefined ? {} : { ref: head },
    (items) => items.length > 0 && items.every(({ sha }) => known.has(sha)))
  const commits = after.items.filter(({ sha }) => !known.has(sha))
  const oldest = Math.min(...commits.map(dateOf))
  const pullsOf = (query: URLSearchParams) => readRoute(deps, principal, { url: `${url}/pulls?${query}` }, PullPage)
  const { items: pulls } = commits.length === 0
    ? { items: [] }
    : await readPages(pullsOf, { state: 'merged' }, (items) =>
      items.length > 0 && items.every(({ updated_at: at }) => new Date(at).getTime() < oldest))
  return { commits, pulls, isWhole: after.isWhole }
}

const groups = ['Breaking changes', 'Added', 'Fixed', 'Changed', 'Removed', 'Documentation', 'Other changes'] as const
type Group = typeof groups[number]

/** The types of conventional commits (conventionalcommits.org), and the labels that projects use for the same. */
const byType: Record<string, Group> = {
  feat: 'Added',
  feature: 'Added',
  enhancement: 'Added',
  add: 'Added',
  fix: 'Fixed',
  bug: 'Fixed',
  bugfix: 'Fixed',
  perf: 'Changed',
  refactor: 'Changed',
  change: 'Changed',
  revert: 'Removed',
  introduce: 'Added',
  drop: 'Removed',
  update: 'Changed',
  bump: 'Changed',
  improve: 'Changed',
  document: 'Documentation',
  remove: 'Removed',
  removed: 'Removed',
  deprecated: 'Removed',
  docs: 'Documentation',
  documentation: 'Documentation',
  breaking: 'Breaking changes',
  'breaking-change': 'Breaking changes',
  'breaking change': 'Breaking changes'
}

const conventional = /^(\w{2,20})(?:\(([^()]{1,60})\))?(!)?: +(\S.*)$/

interface Change {
  id: string,
  title: string,
  url: string | null,
  at: Date | string | null,
  labels: string[],
  message: string
}

/** A change without a type and a label is what its first word says. */
const groupOf = ({ title, labels, message }: Change): Group => {
  const [, type = '', , bang] = conventional.exec(title) ?? []
  if (bang !== undefined || /^BREAKING[ -]CHANGE:/m.test(message)) return 'Breaking changes'
  const named = labels.map((label) => byType[label.toLowerCase()]).find(Boolean)
  const [first = ''] = title.toLowerCase().split(/\W/)
  return named ?? byType[type.toLowerCase()] ?? byType[first] ?? 'Other changes'
}

/** @returns the title without its type, with a capital: "fix(api): a race" is "Api: a race" */
const plainTitle = (title: string): string => {
  const [, , scope, , rest] = conventional.exec(title) ?? []
  const plain = rest === undefined ? title : scope === undefined ? rest : `${scope}: ${rest}`
  return plain.trimEnd().replace(/ ?\(#\d{1,10}\)$/, '').replace(/^./u, (letter) => letter.toUpperCase())
}

/** The pull request that a commit says it is of: a merge of it, or all of it in one commit. */
const pullNumberOf = ({ headline }: Commit): number | undefined => {
  const [, merged, squashed] = /^Merge pull request #(\d+)\b|\(#(\d+)\)$/.exec(headline) ?? []
  return merged ?? squashed ? Number(merged ?? squashed) : undefined
}

const ofPull = ({ number, title, html_url: url, merged_at: at, labels, body_excerpt: body }: PullRequest): Change =>
  ({ id: `pr-${number}`, title, url, at, labels, message: body ?? '' })

const ofCommit = ({ sha, headline, message, html_url: url, committer }: Commit): Change =>
  ({ id: `c-${sha.slice(0, 10)}`, title: headline, url, at: committer.date, labels: [], message })

/** The commit that only says that there is a release. */
const isRelease = ({ headline }: Commit): boolean => /^(?:chore\(release\)|(?:release\s+)?v?\d+\.\d+)/i.test(headline)

/** @returns each change once: pull requests, and the commits that are of none; merges alone are no change */
const changesOf = ({ commits, pulls }: ReleaseRange): Change[] => {
  const shas = new Set(commits.map(({ sha }) => sha))
  const numbers = new Set(commits.flatMap((commit) => pullNumberOf(commit) ?? []))
  const commitsOf = ({ head: { sha }, merge_commit_sha: merge }: PullRequest) => merge === null ? [sha] : [sha, merge]
  const merged = pulls.filter((pull) => numbers.has(pull.number) || commitsOf(pull).some((sha) => shas.has(sha)))
  const named = new Set(merged.map(({ number }) => number))
  const heads = new Set(merged.flatMap(commitsOf))
  const alone = commits.filter((commit) => {
    const number = pullNumberOf(commit)
    return commit.parents.length < 2 && !isRelease(commit) && !heads.has(commit.sha) && (number === undefined ||
      !named.has(number))
  })
  return [...merged.map(ofPull), ...alone.map(ofCommit)]
}

/** @returns how people name a change: #12, or the first of a commit's digits */
export const nameOf = (id: string): string => id.startsWith('pr-') ? `#${id.slice(3)}` : id.slice(2, 9)

const maxFacts = 200
const maxText = 500

type Facts = Pick<BriefBody, 'facts' | 'points'>

/** @returns the changes as facts, which are linked, and their groups as points; the newest, where there are too many */
const groupChanges = (range: ReleaseRange): Facts & { omitted: number } => {
  const all = changesOf(range)
  const kept = all.slice(0, maxFacts)
  const facts = kept.map(({ id, title, url, at }) => ({
    id,
    text: plainTitle(title).slice(0, maxText),
    source: {
      kind: url === null ? 'text' as const : 'url' as const,
      ref: url ?? id,
      // The name under which the text links it: its digits are a number of the source.
      quote: `${nameOf(id)}: ${title}`.slice(0, 2000),
      ...(at !== null && { dated: new Date(at).toISOString().slice(0, 10) })
    }
  }))
  const points = groups.map((text) => ({
    text, fact_ids: kept.filter((change) => groupOf(change) === text).map(({ id }) => id)
  })).filter(({ fact_ids: ids }) => ids.length > 0)
  return { facts, points, omitted: all.length - kept.length }
}

const countOf = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

const shaped = /^[0-9a-f]{40}$/

/** @returns a ref as people write it */
const shown = (ref: string): string => shaped.test(ref) ? ref.slice(0, 7) : ref

/** What the brief does not have is marked, and so the text that is made of it cannot be approved as it is. */
const restOf = (omitted: number, isWhole: boolean): BriefBody['points'] => {
  if (isWhole && omitted === 0) return []
  const what = isWhole ? countOf(omitted, 'older change', 'older changes') : 'the changes before the 500 newest commits'
  return [{ text: `Older changes: ${what}, which the brief does not have`, fact_ids: [] }]
}

/**
 * Makes a brief of what was merged between two refs: each change is a fact with its link, each group a point.
 * @throws nothing_released, not_found, project_archived, and what the code host's routes answer
 */
export const createReleaseBrief = async (app: Deps & Pick<FastifyInstance, 'db'>, principal: Principal,
  { project_id, repo_id, base, head, title }: CreateReleaseBrief): Promise<Brief> => {
  await requireOpenProject(app.db, principal.workspace_id, project_id)
  const range = await readRange(app, principal, repo_id, base, head)
  const { facts, points, omitted } = groupChanges(range)
  const to = head === undefined ? 'The default branch' : shown(head)
  if (points.length === 0) throw NothingReleased(`${to} has nothing that ${shown(base)} has not`)
  return createBrief(app.db, principal, {
    project_id,
    title: title ?? `What is new since ${shown(base)}`.slice(0, 200),
    goal: '',
    key_message: `${countOf(facts.length, 'change', 'changes')} since ${shown(base)}`.slice(0, 500),
    points: [...points, ...restOf(omitted, range.isWhole)],
    facts,
    channels: [{ channel: 'release_notes', length: 'medium' }],
    locales: [],
    keywords: [],
    must_include: [],
    must_avoid: []
  })
}
