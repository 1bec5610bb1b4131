import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** Marks a point between two steps that a crash may separate. Does nothing unless a test names the point. */
    crossing: (point: string) => void
  }
}

export default fp(async (app) => {
  const [point, count] = app.config.FAULT?.split(':') ?? []
  let left = Number(count)
  app.decorate('crossing', (crossed: string) => {
    if (crossed !== point || --left > 0) return
    process.kill(process.pid, 'SIGKILL')
  })
}, { name: 'faults', dependencies: ['config'] })
