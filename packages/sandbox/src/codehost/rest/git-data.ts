import { Type, type Static } from '@sinclair/typebox'
import { deleteBranch, moveBranch } from '../actions/refs.js'
import { personOf } from '../core/change.js'
import { notFound, Refusal } from '../core/errors.js'
import type { Commit, Entry, Files } from '../core/git.js'
import { ok, operation, readBody, repositoryOf, userOf, type Answer, type Call } from '../core/operation.js'
import { fullNameOf, type Repository } from '../core/world.js'
import { stageOf } from './stage.js'

const Blob = Type.Object({
  content: Type.String(), encoding: Type.Optional(Type.Union([Type.Literal('utf-8'), Type.Literal('base64')]))
})
const Tree = Type.Object({
  base_tree: Type.Optional(Type.String()),
  tree: Type.Array(Type.Object({
    path: Type.String({ minLength: 1 }),
    mode: Type.Optional(Type.String()),
    type: Type.Optional(Type.String()),
    sha: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    content: Type.Optional(Type.String())
  }), { minItems: 1 })
})
const NewCommit = Type.Object({
  message: Type.String(), tree: Type.String(), parents: Type.Optional(Type.Array(Type.String()))
})
const NewRef = Type.Object({ ref: Type.String({ pattern: '^refs/.+/.+' }), sha: Type.String() })
const Move = Type.Object({ sha: Type.String(), force: Type.Optional(Type.Boolean()) })

const created = (body: unknown): Answer => ({ status: 201, body })
const urlOf = ({ origin, sandbox: { world } }: Call, repository: Repository, rest: string) =>
  `${origin}/api/v3/repos/${fullNameOf(world, repository)}/git/${rest}`

function createBlob (call: Call) {
  const repository = repositoryOf(call, 'write')
  const { content, encoding } = readBody(call, Blob)
  const sha = repository.git.writeBlob(Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8'))
  return created({ sha, url: urlOf(call, repository, `blobs/${sha}`) })
}

function getBlob (call: Call) {
  const repository = repositoryOf(call)
  const sha = call.params.sha ?? ''
  const content = repository.git.blobs.get(sha)
  if (!content) throw notFound()
  return ok({ sha, size: content.length, encoding: 'base64', content: content.toString('base64') })
}

function entryOf ({ git }: Repository, { sha, content, mode }: Static<typeof Tree>['tree'][number]): Entry | null {
  if (sha === null) return null
  const named = sha ?? git.writeBlob(Buffer.from(content ?? ''))
  if (!git.blobs.has(named)) throw new Refusal(422, `tree.sha ${named} is not a valid blob`)
  return { sha: named, mode: mode ?? '100644' }
}

const isBadPath = (path: string) => path.startsWith('/') || path.split('/').some((part) => /^(\.\.?|\.git|)$/.test(part))

function createTree (call: Call) {
  const repository = repositoryOf(call, 'write')
  const { base_tree, tree } = readBody(call, Tree)
  // The code host accepts a commit in place of its tree.
  const base = base_tree === undefined
    ? new Map<string, Entry>()
    : repository.git.trees.get(repository.git.commits.get(base_tree)?.tree ?? base_tree)
  if (!base) throw notFound()
  const files = new Map(base)
  for (const item of tree) {
    if (isBadPath(item.path)) throw new Refusal(422, 'tree.path contains a malformed path component')
    const entry = entryOf(repository, item)
    if (entry) files.set(item.path, entry)
    else if (!files.delete(item.path)) throw new Refusal(422, 'GitRPC::BadObjectState')
  }
  return created(showTree(call, repository, repository.git.writeTree(files)))
}

/** One level, or with `recursive` all of them, folders before what lies in them. */
function showTree (call: Call, repository: Repository, sha: string, recursive = false) {
  const files = repository.git.trees.get(sha)
  if (!files) throw notFound()
  const tree = levelOf(repository, files, '', recursive).map(({ path, mode, sha }) => {
    const type = mode === '040000' ? 'tree' : mode === '160000' ? 'commit' : 'blob'
    const url = urlOf(call, repository, `${type}s/${sha}`)
    return { path, mode, type, sha, ...(type === 'blob' && { size: repository.git.blobs.get(sha)?.length ?? 0 }), url }
  })
  return { sha, url: urlOf(call, repository, `trees/${sha}`), tree, truncated: false }
}

function levelOf (repository: Repository, files: Files, prefix: string, recursive: boolean): (Entry & { path: string })[] {
  const folders = new Map<string, Map<string, Entry>>()
  const found: (Entry & { path: string })[] = []
  for (const [path, entry] of files) {
    const [first = '', ...rest] = path.split('/')
    if (rest.length === 0) found.push({ ...entry, path: prefix + path })
    else folders.set(first, (folders.get(first) ?? new Map<string, Entry>()).set(rest.join('/'), entry))
  }
  for (const [name, below] of folders) {
    found.push({ path: prefix + name, mode: '040000', sha: repository.git.writeTree(below) })
    if (recursive) found.push(...levelOf(repository, below, `${prefix}${name}/`, true))
  }
  return found.sort((a, b) => a.path < b.path ? -1 : 1)
}

function showCommit (call: Call, repository: Repository, { sha, author, committer, message, tree, parents }: Commit) {
  return {
    sha,
    url: urlOf(call, repository, `commits/${sha}`),
    author,
    committer,
    message,
    tree: { sha: tree, url: urlOf(call, repository, `trees/${tree}`) },
    parents: parents.map((parent) => ({ sha: parent, url: urlOf(call, repository, `commits/${parent}`) }))
  }
}

function createCommit (call: Call) {
  const repository = repositoryOf(call, 'write')
  const { message, tree, parents = [] } = readBody(call, NewCommit)
  if (!repository.git.trees.has(tree)) throw new Refusal(422, 'Tree SHA does not exist')
  if (parents.some((parent) => !repository.git.commits.has(parent))) {
    throw new Refusal(422, 'Parent SHA does not exist or is not a commit object')
  }
  const person = personOf(call.sandbox.world, userOf(call).id, call.sandbox.world.clock.iso())
  const commit = repository.git.writeCommit({
    tree, parents, message, author: person, committer: person, verified: false
  })
  return created(showCommit(call, repository, commit))
}

function getGitCommit (call: Call) {
  const repository = repositoryOf(call)
  const commit = repository.git.commits.get(call.params.sha ?? '')
  if (!commit) throw notFound()
  return ok(showCommit(call, repository, commit))
}

const showRef = (call: Call, repository: Repository, ref: string, sha: string) => ({
  ref,
  url: urlOf(call, repository, ref),
  object: { type: 'commit', sha, url: urlOf(call, repository, `commits/${sha}`) }
})

function getRef (call: Call) {
  const repository = repositoryOf(call)
  const [kind = '', ...rest] = (call.params.ref ?? '').split('/')
  const name = rest.join('/')
  const sha = kind === 'heads' ? repository.branches.get(name) : repository.tags.get(name)
  if (!sha) throw notFound()
  return ok(showRef(call, repository, `refs/${kind}/${name}`, sha))
}

function createRef (call: Call) {
  const repository = repositoryOf(call, 'write')
  const { ref, sha } = readBody(call, NewRef)
  if (!repository.git.commits.has(sha)) throw new Refusal(422, 'Object does not exist')
  const [, kind, ...rest] = ref.split('/')
  const name = rest.join('/')
  const refs = kind === 'heads' ? repository.branches : repository.tags
  if (refs.has(name)) throw new Refusal(422, 'Reference already exists')
  if (kind === 'heads') moveBranch(stageOf(call), repository, name, sha, false)
  else repository.tags.set(name, sha)
  return created(showRef(call, repository, ref, sha))
}

function updateRef (call: Call) {
  const repository = repositoryOf(call, 'write')
  const { sha, force = false } = readBody(call, Move)
  const name = (call.params.ref ?? '').replace(/^heads\//, '')
  if (!repository.branches.has(name)) throw new Refusal(422, 'Reference does not exist')
  moveBranch(stageOf(call), repository, name, sha, force)
  return ok(showRef(call, repository, `refs/heads/${name}`, sha))
}

function deleteRef (call: Call) {
  const repository = repositoryOf(call, 'write')
  deleteBranch(stageOf(call), repository, (call.params.ref ?? '').replace(/^heads\//, ''))
  return { status: 204 }
}

export const gitDataOperations = [
  operation('createBlob', 'POST', '{repo}/git/blobs', createBlob),
  operation('getBlob', 'GET', '{repo}/git/blobs/{sha}', getBlob, { auth: 'any' }),
  operation('createTree', 'POST', '{repo}/git/trees', createTree),
  operation('getTree', 'GET', '{repo}/git/trees/{sha}', (call) => {
    const repository = repositoryOf(call)
    const sha = call.params.sha ?? ''
    const head = repository.branches.get(sha) ?? sha
    const tree = repository.git.commits.get(head)?.tree ?? sha
    return ok(showTree(call, repository, tree, call.query.has('recursive')))
  }, { auth: 'any' }),
  operation('createGitCommit', 'POST', '{repo}/git/commits', createCommit),
  operation('getGitCommit', 'GET', '{repo}/git/commits/{sha}', getGitCommit, { auth: 'any' }),
  operation('getRef', 'GET', '{repo}/git/ref/{ref*}', getRef, { auth: 'any' }),
  operation('createRef', 'POST', '{repo}/git/refs', createRef),
  operation('updateRef', 'PATCH', '{repo}/git/refs/{ref*}', updateRef),
  operation('deleteRef', 'DELETE', '{repo}/git/refs/{ref*}', deleteRef)
]
