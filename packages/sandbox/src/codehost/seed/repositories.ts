import { SANDBOX_ORG, SANDBOX_REPOSITORIES, SANDBOX_USERS } from '../constants.js'
import { isoOf } from '../core/clock.js'
import { commitTo, type FileChanges } from '../core/change.js'
import type { Repository, World } from '../core/world.js'
import { emptyRepository } from './empty.js'
import { histories, type Step } from './histories.js'
import { seedPulls } from './pulls.js'
import { seedEnd } from './time.js'

const day = 86_400_000
type Details = Partial<Pick<Repository, 'description' | 'private' | 'language' | 'owner_id'>>

function plant (world: World, name: keyof typeof SANDBOX_REPOSITORIES, details: Details, steps: Step[]): Repository {
  const start = seedEnd - steps.length * 2.3 * day
  const { id } = SANDBOX_ORG
  const repository = {
    ...emptyRepository(SANDBOX_REPOSITORIES[name], id, name.split('/')[1] ?? name, isoOf(start - day)), ...details
  }
  world.repositories.set(repository.id, repository)
  steps.forEach(([login, message, files], index) => {
    const at = isoOf(start + index * 2.3 * day + (index % 5) * 3_700_000)
    push(world, repository, login, message, files, at)
  })
  repository.updated_at = repository.pushed_at ?? repository.updated_at
  return repository
}

/** One push of one commit to the default branch. */
function push (world: World, repository: Repository, login: keyof typeof SANDBOX_USERS, message: string,
  files: FileChanges, at: string): void {
  const before = repository.branches.get('main') ?? '0'.repeat(40)
  const user_id = SANDBOX_USERS[login]
  const verified = login === 'octavia'
  const after = commitTo(world, repository, { branch: 'main', user_id, message, files, at, verified })
  const type = /^0+$/.test(before) ? 'branch_creation' : 'push'
  repository.changes.push({ id: world.nextId(), ref: 'refs/heads/main', before, after, actor_id: user_id, at, type })
}

/** Workflows that build images; their first ones ran before the company's clock. */
function seedWorkflows (repository: Repository): void {
  repository.workflows.push({
    id: 300_000 + repository.id,
    name: 'Build the image',
    path: '.github/workflows/image.yml',
    state: 'active',
    inputs: ['commit', 'build'],
    runName: ['commit', 'build'],
    outcome: 'success'
  })
}

function seedIssue ({ issues }: Repository): void {
  const at = isoOf(seedEnd - 6 * 3_600_000)
  issues.set(6, {
    id: 8501,
    number: 6,
    title: 'Keep the cart when the page is loaded again',
    body: 'Customers lose what they chose.\n\n- It must survive a reload.\n- It must be empty after checkout.',
    state: 'open',
    user_id: SANDBOX_USERS.bruno,
    labels: ['feature'],
    created_at: at,
    updated_at: at,
    closed_at: null
  })
}

export function seedRepositories (world: World): void {
  const web = plant(world, 'larkspur/web', { description: 'The shop front', language: 'TypeScript' }, histories.web)
  const api = plant(world, 'larkspur/api', { description: 'Orders and payments', language: 'Go', private: true },
    histories.api)
  plant(world, 'larkspur/infra', { description: 'Terraform of all accounts', language: 'HCL', private: true },
    histories.infra)
  plant(world, 'mallory/secret', { owner_id: SANDBOX_USERS.mallory, private: true }, histories.secret)
  for (const repository of [web, api]) {
    repository.teams.set('platform', 'write')
    seedWorkflows(repository)
  }
  seedPulls(world, web, api)
  seedIssue(web)
}
