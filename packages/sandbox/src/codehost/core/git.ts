import { createHash } from 'node:crypto'

export interface Person { name: string, email: string, date: string }

export interface Commit {
  sha: string
  tree: string
  parents: string[]
  author: Person
  committer: Person
  message: string
  verified: boolean
}

export interface Entry { sha: string, mode: string }
/** A folder and all that is below it, by path. */
export type Files = ReadonlyMap<string, Entry>

const hashOf = (type: string, body: Buffer): string =>
  createHash('sha1').update(`${type} ${body.length}\0`).update(body).digest('hex')

const seconds = (date: string): string => `${Math.floor(Date.parse(date) / 1000)} +0000`

/** The objects of one repository, under the names that git gives them. */
export class GitStore {
  readonly blobs = new Map<string, Buffer>()
  readonly trees = new Map<string, Files>()
  readonly commits = new Map<string, Commit>()

  writeBlob (content: Buffer): string {
    const sha = hashOf('blob', content)
    this.blobs.set(sha, content)
    return sha
  }

  /** Stores the folder and each folder in it. @returns its name */
  writeTree (files: Files): string {
    const entries = new Map<string, Entry>()
    const folders = new Map<string, Map<string, Entry>>()
    for (const [path, entry] of files) {
      const slash = path.indexOf('/')
      if (slash < 0) entries.set(path, entry)
      else folderOf(folders, path.slice(0, slash)).set(path.slice(slash + 1), entry)
    }
    for (const [name, content] of folders) entries.set(name, { sha: this.writeTree(content), mode: '40000' })
    const sha = hashOf('tree', treeBody(entries))
    this.trees.set(sha, files)
    return sha
  }

  writeCommit (commit: Omit<Commit, 'sha'>): Commit {
    const { tree, parents, author, committer, message } = commit
    const lines = [
      `tree ${tree}`, ...parents.map((parent) => `parent ${parent}`),
      `author ${author.name} <${author.email}> ${seconds(author.date)}`,
      `committer ${committer.name} <${committer.email}> ${seconds(committer.date)}`, '', message
    ]
    const written = { ...commit, sha: hashOf('commit', Buffer.from(lines.join('\n'))) }
    this.commits.set(written.sha, written)
    return written
  }

  filesOf (commit: string): Files {
    return this.trees.get(this.commits.get(commit)?.tree ?? '') ?? new Map()
  }

  /** @returns the commit and its ancestors, newest first */
  history (head: string): Commit[] {
    const seen = new Set<string>()
    const open = [head]
    const found: Commit[] = []
    while (open.length > 0) {
      const commit = this.commits.get(open.pop() ?? '')
      if (!commit || seen.has(commit.sha)) continue
      seen.add(commit.sha)
      found.push(commit)
      open.push(...commit.parents)
    }
    return found.sort((a, b) => Date.parse(b.committer.date) - Date.parse(a.committer.date))
  }
}

function folderOf (folders: Map<string, Map<string, Entry>>, name: string): Map<string, Entry> {
  const known = folders.get(name) ?? new Map<string, Entry>()
  folders.set(name, known)
  return known
}

function treeBody (entries: Map<string, Entry>): Buffer {
  // Git sorts a folder as if its name ended with a slash.
  const key = ([name, { mode }]: [string, Entry]) => mode === '40000' ? `${name}/` : name
  const sorted = [...entries].sort((a, b) => Buffer.compare(Buffer.from(key(a)), Buffer.from(key(b))))
  return Buffer.concat(sorted.flatMap(([name, { sha, mode }]) =>
    [Buffer.from(`${mode} ${name}\0`), Buffer.from(sha, 'hex')]))
}
