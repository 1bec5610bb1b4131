const maxKept = 50_000

/** Keeps what a dictionary answered: a text asks for most words more than once, and its next version for nearly all. */
export class KeptAnswers<Answer> {
  readonly #kept = new Map<string, Answer>()

  constructor (private readonly find: (word: string) => Answer) {}

  ask (word: string): Answer {
    const known = this.#kept.get(word)
    if (known !== undefined) return known
    const answer = this.find(word)
    if (this.#kept.size >= maxKept) this.#kept.clear()
    this.#kept.set(word, answer)
    return answer
  }
}
