/** A route's path, by its parts: a parameter is one part, `*` all that are left. */
interface Path { parts: string[], methods: Set<string> }

const partsOf = (path: string): string[] => path.split('/')

const fits = ({ parts }: Path, asked: readonly string[]): boolean => {
  const isOpen = parts.at(-1) === '*'
  if (isOpen ? asked.length < parts.length : asked.length !== parts.length) return false
  return parts.every((part, index) => {
    if (part === '*') return true
    return part.startsWith(':') ? asked[index] !== '' : asked[index] === part
  })
}

/** Which methods each path takes: what a router that found nothing for a method does not say. */
export class PathMethods {
  readonly #paths = new Map<string, Path>()

  add (url: string, method: string): void {
    const path = this.#paths.get(url) ?? { parts: partsOf(url), methods: new Set() }
    path.methods.add(method)
    this.#paths.set(url, path)
  }

  /** @returns what the path of an address takes, sorted; empty where nothing is there */
  find (url: string): string[] {
    const asked = partsOf(url.split('?', 1)[0] ?? '')
    return this.#list((path) => fits(path, asked))
  }

  /** @returns what any path takes */
  all (): string[] {
    return this.#list(() => true)
  }

  #list (isMeant: (path: Path) => boolean): string[] {
    const found = [...this.#paths.values()].filter(isMeant).flatMap(({ methods }) => [...methods])
    return found.length === 0 ? [] : [...new Set([...found, 'OPTIONS'])].sort()
  }
}
