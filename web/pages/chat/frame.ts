import { useEffect } from 'preact/hooks'
import { useSignal, type ReadonlySignal } from '@preact/signals'

/** @returns the value as of the last frame: words that stream in faster are drawn together */
export const useFrame = <T>(source: ReadonlySignal<T>): T => {
  const shown = useSignal(source.peek())
  useEffect(() => {
    let waiting = 0
    const draw = () => {
      waiting = 0
      shown.value = source.peek()
    }
    const stop = source.subscribe(() => {
      // A tab that is not seen has no frames.
      if (document.hidden) draw()
      else waiting ||= requestAnimationFrame(draw)
    })
    return () => {
      stop()
      cancelAnimationFrame(waiting)
    }
  }, [source])
  return shown.value
}
