type Handler<Args> = (args: Args) => Promise<Args>

/** The part of the SDK's stack that is used here: around a call, or around an attempt. */
export interface Stack<Args extends object> {
  add (middleware: (next: Handler<Args>, context: { commandName?: string }) => Handler<Args>,
    options: { step: string, priority: 'high' | 'low', name: string }): void
}

/** @returns the stack of a client or a command, whatever its service: their own types differ by their inputs only */
export const stackOf = <Args extends object>({ middlewareStack }: { middlewareStack: object }) =>
  middlewareStack as Stack<Args>
