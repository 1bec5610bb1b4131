import type { Service, TaskDefinition } from '@aws-sdk/client-ecs'

/** @returns a number of CPU units, or of MiB; null where AWS has none, or a text that is not one */
const amountOf = (text: string | number | undefined): number | null => {
  const amount = Number(text ?? NaN)
  return amount > 0 ? amount : null
}

/** A task's own limits; on EC2 they may be those of its containers only. */
export const describeSize = ({ cpu, memory, containerDefinitions: containers = [] }: TaskDefinition) => ({
  cpu_units: amountOf(cpu) ?? amountOf(containers.reduce((sum, one) => sum + (one.cpu ?? 0), 0)),
  memory_mb: amountOf(memory) ??
    amountOf(containers.reduce((sum, one) => sum + (one.memory ?? one.memoryReservation ?? 0), 0))
})

const targetGroup = /targetgroup\/([^/]+)/

export const describePorts = (definition: TaskDefinition, { loadBalancers = [] }: Service) => {
  const balancerOf = (container: string, port: number): string | null => {
    const found = loadBalancers.find((one) => one.containerName === container && one.containerPort === port)
    return targetGroup.exec(found?.targetGroupArn ?? '')?.[1] ?? found?.loadBalancerName ?? null
  }
  return (definition.containerDefinitions ?? []).flatMap(({ name: container = '', portMappings = [] }) =>
    portMappings.map(({ containerPort: port = 0, protocol = 'tcp' }) =>
      ({ container, port, protocol, load_balancer: balancerOf(container, port) })))
}
