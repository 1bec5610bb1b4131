import type { Commit } from '../../../../schemas/codehost/commits.js'
import type { PullRequest } from '../../../../schemas/codehost/pulls.js'
import type { BriefBody } from 'steward-prose-engine/schemas'
import type { ReleaseRange } from './read-range.js'

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
export const groupChanges = (range: ReleaseRange): Facts & { omitted: number } => {
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
