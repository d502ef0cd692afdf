/** What is to be put in order when the program ends: temporary folders, locks, sockets. */

type Task = () => void | Promise<void>;

const tasks = new Set<Task>();

/** Has `task` run at the program's end; gives what takes it back. */
export function atEnd(task: Task): () => void {
  tasks.add(task);
  return () => void tasks.delete(task);
}

/** Runs what is left to do, each task once; a task that fails does not keep others from running. */
export async function runEndTasks(): Promise<void> {
  const left = [...tasks];
  tasks.clear();
  for (const task of left) await Promise.resolve().then(task).catch(() => {});
}
