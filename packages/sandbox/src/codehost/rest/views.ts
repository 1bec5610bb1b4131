import type { Commit } from '../core/git.js'
import { fullNameOf, permissionOf, type Account, type Permission, type Repository, type World } from '../core/world.js'

/** The context of a response: its addresses begin with the origin. */
export interface Context { world: World, origin: string }

const nodeId = (kind: string, id: number | string): string => Buffer.from(`${kind}${id}`).toString('base64')

export function showAccount ({ origin }: Pick<Context, 'origin'>, { id, login, type }: Account) {
  const url = `${origin}/api/v3/users/${login}`
  return {
    login,
    id,
    node_id: nodeId(type, id),
    avatar_url: `${origin}/avatars/u/${id}?v=4`,
    gravatar_id: '',
    url,
    html_url: `${origin}/${login}`,
    followers_url: `${url}/followers`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type,
    user_view_type: 'public',
    site_admin: false
  }
}

export function showFullAccount (context: Pick<Context, 'origin'>, account: Account) {
  const { name, email, created_at } = account
  return {
    ...showAccount(context, account),
    name,
    company: null,
    blog: '',
    location: null,
    email,
    hireable: null,
    bio: null,
    public_repos: 1,
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at,
    updated_at: created_at
  }
}

const rights = (permission: Permission) => ({
  admin: permission === 'admin',
  maintain: permission === 'admin',
  push: permission !== 'read',
  triage: permission !== 'read',
  pull: true
})

const apiPaths = ['branches{/branch}', 'commits{/sha}', 'contents/{+path}', 'hooks', 'pulls{/number}', 'statuses/{sha}']

function addresses (origin: string, name: string) {
  const url = `${origin}/api/v3/repos/${name}`
  return {
    html_url: `${origin}/${name}`,
    url,
    clone_url: `${origin}/${name}.git`,
    git_url: `${origin.replace('http', 'git')}/${name}.git`,
    ssh_url: `git@${new URL(origin).hostname}:${name}.git`,
    ...Object.fromEntries(apiPaths.map((path) => [`${/^\w+/.exec(path)?.[0]}_url`, `${url}/${path}`]))
  }
}

/** @param userId the user whose permissions are shown; undefined = none */
export function showRepository ({ world, origin }: Context, repository: Repository, userId?: number) {
  const name = fullNameOf(world, repository)
  const owner = world.accounts.get(repository.owner_id)
  const permission = permissionOf(world, repository, userId)
  return {
    id: repository.id,
    node_id: nodeId('Repository', repository.id),
    name: repository.name,
    full_name: name,
    private: repository.private,
    visibility: repository.private ? 'private' : 'public',
    owner: owner && showAccount({ origin }, owner),
    ...addresses(origin, name),
    description: repository.description,
    fork: repository.fork,
    created_at: repository.created_at,
    updated_at: repository.updated_at,
    pushed_at: repository.pushed_at,
    size: repository.git.blobs.size,
    stargazers_count: 0,
    watchers_count: 0,
    forks_count: 0,
    open_issues_count: [...repository.pulls.values(), ...repository.issues.values()]
      .filter(({ state }) => state === 'open').length,
    language: repository.language,
    archived: repository.archived,
    disabled: false,
    is_template: false,
    topics: [],
    license: null,
    default_branch: repository.default_branch,
    ...(userId !== undefined && permission && { permissions: rights(permission) })
  }
}

const personOf = (context: Context, email: string) => {
  const found = [...context.world.accounts.values()].find((one) => one.email === email)
  return found ? showAccount(context, found) : null
}

export function showCommit (context: Context, repository: Repository, commit: Commit) {
  const { sha, tree, parents, author, committer, message, verified } = commit
  const name = fullNameOf(context.world, repository)
  const api = `${context.origin}/api/v3/repos/${name}`
  const html = `${context.origin}/${name}/commit`
  return {
    sha,
    node_id: nodeId('Commit', sha),
    commit: {
      author,
      committer,
      message,
      tree: { sha: tree, url: `${api}/git/trees/${tree}` },
      url: `${api}/git/commits/${sha}`,
      comment_count: 0,
      verification: verified
        ? { verified, reason: 'valid', signature: '-----BEGIN PGP SIGNATURE-----', payload: '', verified_at: null }
        : { verified, reason: 'unsigned', signature: null, payload: null, verified_at: null }
    },
    url: `${api}/commits/${sha}`,
    html_url: `${html}/${sha}`,
    comments_url: `${api}/commits/${sha}/comments`,
    author: personOf(context, author.email),
    committer: personOf(context, committer.email),
    parents: parents.map((parent) => ({
      sha: parent, url: `${api}/commits/${parent}`, html_url: `${html}/${parent}`
    }))
  }
}
