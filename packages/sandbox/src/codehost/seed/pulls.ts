import { SANDBOX_USERS } from '../constants.js'
import { isoOf } from '../core/clock.js'
import { commitTo } from '../core/change.js'
import type { CheckRun, Pull, Repository, Review, World } from '../core/world.js'
import { seedEnd } from './time.js'

const hour = 3_600_000
const { octavia, bruno, mallory } = SANDBOX_USERS

interface Seed {
  id: number
  number: number
  title: string
  body: string | null
  user: number
  branch: string
  path: string
  hoursAgo: number
  ending?: 'merged' | 'closed'
  draft?: boolean
  labels?: string[]
  reviewers?: number[]
  review?: Review['state']
  check?: CheckRun['conclusion'] | 'running'
  mergeable?: boolean
  /** The branch was in a fork that was deleted. */
  forkGone?: boolean
}

const ofWeb: Seed[] = [
  {
    id: 8001,
    number: 1,
    title: 'Fix the delivery date over New Year',
    body: 'Holidays count.',
    user: bruno,
    branch: 'fix/new-year',
    path: 'src/delivery.ts',
    hoursAgo: 150,
    ending: 'merged',
    review: 'APPROVED',
    check: 'success'
  },
  {
    id: 8002,
    number: 2,
    title: 'Try another colour',
    body: null,
    user: bruno,
    branch: 'colour',
    path: 'src/colour.ts',
    hoursAgo: 120,
    ending: 'closed'
  },
  {
    id: 8003,
    number: 3,
    title: 'Show stock on the product page',
    body: 'Asks the api for it.\n\nCloses #2',
    user: bruno,
    branch: 'feature/stock',
    path: 'src/stock.ts',
    hoursAgo: 50,
    labels: ['feature'],
    reviewers: [octavia],
    check: 'success'
  },
  {
    id: 8004,
    number: 4,
    title: 'Move to HTTP/3',
    body: 'Not ready.',
    user: octavia,
    branch: 'http3',
    path: 'src/server.ts',
    hoursAgo: 30,
    draft: true,
    check: 'running',
    mergeable: false
  },
  {
    id: 8005,
    number: 5,
    title: 'Translate the start page',
    body: 'Into Swedish.',
    user: mallory,
    branch: 'patch-1',
    path: 'src/sv.ts',
    hoursAgo: 20,
    review: 'CHANGES_REQUESTED',
    check: 'failure',
    forkGone: true
  }
]

const ofApi: Seed[] = [
  {
    id: 8101,
    number: 1,
    title: 'Answer refunds',
    body: null,
    user: bruno,
    branch: 'refunds',
    path: 'payments/refund.go',
    hoursAgo: 60,
    review: 'APPROVED',
    reviewers: [],
    check: 'success'
  }
]

export function seedPulls (world: World, web: Repository, api: Repository): void {
  for (const seed of ofWeb) plant(world, web, seed)
  for (const seed of ofApi) plant(world, api, seed)
}

function plant (world: World, repository: Repository, seed: Seed): void {
  const at = isoOf(seedEnd - seed.hoursAgo * hour)
  const later = isoOf(seedEnd - seed.hoursAgo * hour + 2 * hour)
  const base = repository.branches.get('main') ?? ''
  const files = { [seed.path]: `// ${seed.title}\n` }
  const sha = commitTo(world, repository, { branch: seed.branch, user_id: seed.user, message: seed.title, files, at })
  if (seed.ending || seed.forkGone) repository.branches.delete(seed.branch)
  repository.pulls.set(seed.number, pullOf(repository, seed, sha, base, at, later))
  if (!seed.check) return
  const running = seed.check === 'running'
  repository.checks.push({
    id: seed.id * 10,
    name: 'test',
    head_sha: sha,
    status: running ? 'in_progress' : 'completed',
    conclusion: seed.check === 'running' ? null : seed.check,
    started_at: at,
    completed_at: running ? null : later
  })
}

/** @returns the commit of the main branch as which a pull request was merged: it has its title */
const squashOf = ({ git, branches }: Repository, title: string): string | null =>
  git.history(branches.get('main') ?? '').find(({ message }) => message === title)?.sha ?? null

function pullOf (repository: Repository, seed: Seed, sha: string, base: string, at: string, later: string): Pull {
  const { id, number, title, body, user, branch, ending, review, forkGone = false } = seed
  const reviewer = user === octavia ? bruno : octavia
  return {
    id,
    number,
    title,
    body,
    state: ending ? 'closed' : 'open',
    draft: seed.draft ?? false,
    user_id: user,
    head: forkGone
      ? { ref: branch, sha, repo_id: null, owner_id: user }
      : { ref: branch, sha, repo_id: repository.id, owner_id: repository.owner_id },
    base: { ref: 'main', sha: base },
    labels: seed.labels ?? [],
    reviewers: seed.reviewers ?? [],
    teams: [],
    reviews: review
      ? [{ id: id * 10, user_id: reviewer, state: review, body: '', commit_id: sha, submitted_at: later }]
      : [],
    mergeable: seed.mergeable ?? true,
    merge_commit_sha: ending === 'merged' ? squashOf(repository, title) : null,
    created_at: at,
    updated_at: later,
    closed_at: ending ? later : null,
    merged_at: ending === 'merged' ? later : null,
    merged_by: ending === 'merged' ? octavia : null
  }
}
