const need = /^\p{Lu}\p{Ll}{1,20}: (?:and |but |so |also )?we (?:also )?need (?:an?|the|some|more|at least) /u

/** "Sven: and we need a list of arrivals" demands in minutes what "we need" elsewhere only explains. */
export const isSpokenNeed = (text: string): boolean => need.test(text) && !text.trimEnd().endsWith('?')

/** "Are links single-use? → No, decided 28 Oct", and in minutes "-> we make the address optional" */
export const arrow = /^(?:→|->|=>|⇒)\s*(?=\S)/
