import { posix } from 'node:path'
import { Type, type Static } from '@sinclair/typebox'
import type { Entry, Files } from '../core/git.js'
import { pushCommit } from '../actions/refs.js'
import { notFound, Refusal } from '../core/errors.js'
import { ok, operation, readBody, repositoryOf, type Call } from '../core/operation.js'
import { fullNameOf, type Repository } from '../core/world.js'
import { resolveRef } from './commits.js'
import { contextOf } from './repositories.js'
import { stageOf } from './stage.js'
import { showCommit } from './views.js'

const Put = Type.Object({
  message: Type.String(),
  content: Type.String(),
  branch: Type.Optional(Type.String()),
  sha: Type.Optional(Type.String())
})
const Delete = Type.Object({ message: Type.String(), sha: Type.String(), branch: Type.Optional(Type.String()) })

function showFile (call: Call, repository: Repository, path: string, sha: string) {
  const content = repository.git.blobs.get(sha) ?? Buffer.alloc(0)
  const name = fullNameOf(call.sandbox.world, repository)
  return {
    type: 'file',
    encoding: 'base64',
    size: content.length,
    name: path.split('/').at(-1),
    path,
    content: content.toString('base64'),
    sha,
    url: `${call.origin}/api/v3/repos/${name}/contents/${path}`,
    html_url: `${call.origin}/${name}/blob/${repository.default_branch}/${path}`
  }
}

/** A link to a file of the repository is read as that file, as the code host does. */
function showEntry (call: Call, repository: Repository, files: Files, path: string, { sha, mode }: Entry) {
  if (mode !== '120000') return showFile(call, repository, path, sha)
  const target = repository.git.blobs.get(sha)?.toString() ?? ''
  const led = files.get(posix.join(posix.dirname(path), target))
  if (led) return showFile(call, repository, path, led.sha)
  const { encoding: _, content: __, ...shown } = showFile(call, repository, path, sha)
  return { ...shown, type: 'symlink', target }
}

function getContent (call: Call) {
  const repository = repositoryOf(call)
  const ref = call.query.get('ref') ?? repository.default_branch
  const head = resolveRef(repository, ref)
  if (!head) throw new Refusal(404, `No commit found for the ref ${ref}`)
  const files = repository.git.filesOf(head)
  const path = (call.params.path ?? '').replace(/\/$/, '')
  const entry = files.get(path)
  if (entry) return ok(showEntry(call, repository, files, path, entry))
  const prefix = path ? `${path}/` : ''
  const below = [...files.keys()].filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
  if (below.length === 0) throw notFound()
  return ok([...new Set(below.map((name) => name.split('/')[0] ?? ''))].sort().map((name) => {
    const sha = files.get(prefix + name)?.sha
    const size = sha ? repository.git.blobs.get(sha)?.length ?? 0 : 0
    const html = `${call.origin}/${fullNameOf(call.sandbox.world, repository)}/${sha ? 'blob' : 'tree'}/${ref}`
    const html_url = `${html}/${prefix}${name}`
    const isLink = files.get(prefix + name)?.mode === '120000'
    const type = isLink ? 'symlink' : sha ? 'file' : 'dir'
    return { name, path: prefix + name, type, sha: sha ?? null, size, html_url }
  }))
}

/** @throws 409 or 422 if the caller does not know the current file */
function requireSha (repository: Repository, branch: string, path: string, sha: string | undefined): boolean {
  const head = repository.branches.get(branch)
  const known = head === undefined ? undefined : repository.git.filesOf(head).get(path)
  if (known && sha === undefined) throw new Refusal(422, 'Invalid request.\n\n"sha" wasn\'t supplied.')
  if (sha !== undefined && known?.sha !== sha) throw new Refusal(409, `${path} does not match ${sha}`)
  return known !== undefined
}

function branchOf (repository: Repository, branch: string | undefined): string {
  const name = branch ?? repository.default_branch
  if (!repository.branches.has(name) && repository.branches.size > 0) throw new Refusal(404, `Branch ${name} not found`)
  return name
}

function write (call: Call, body: Static<typeof Put>) {
  const repository = repositoryOf(call, 'write')
  const path = call.params.path ?? ''
  const branch = branchOf(repository, body.branch)
  const existed = requireSha(repository, branch, path, body.sha)
  const files = { [path]: Buffer.from(body.content, 'base64').toString() }
  const sha = pushCommit(stageOf(call), repository, { branch, message: body.message, files })
  const commit = repository.git.commits.get(sha)
  const file = repository.git.filesOf(sha).get(path)?.sha ?? ''
  return {
    status: existed ? 200 : 201,
    body: {
      content: showFile(call, repository, path, file),
      commit: commit && showCommit(contextOf(call), repository, commit)
    }
  }
}

function remove (call: Call) {
  const repository = repositoryOf(call, 'write')
  const body = readBody(call, Delete)
  const path = call.params.path ?? ''
  const branch = branchOf(repository, body.branch)
  if (!requireSha(repository, branch, path, body.sha)) throw notFound()
  const sha = pushCommit(stageOf(call), repository, { branch, message: body.message, files: { [path]: null } })
  return ok({ content: null, commit: { sha } })
}

export const contentOperations = [
  operation('getContent', 'GET', '{repo}/contents/{path*}', getContent, { auth: 'any' }),
  operation('getContent', 'GET', '{repo}/contents', getContent, { auth: 'any' }),
  operation('putContent', 'PUT', '{repo}/contents/{path*}', (call) => write(call, readBody(call, Put))),
  operation('deleteContent', 'DELETE', '{repo}/contents/{path*}', remove)
]
