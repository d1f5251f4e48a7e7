// Sends values that come faster than they are answered: one is under way, and of those that wait only the newest
// counts.
export class NewestWins<T> {
  private isBusy = false;
  private waiting: { value: T } | null = null;

  constructor(private readonly send: (value: T) => Promise<unknown>) {}

  push(value: T): void {
    this.waiting = { value };
    if (!this.isBusy) void this.run();
  }

  private async run(): Promise<void> {
    this.isBusy = true;
    while (this.waiting) {
      const { value } = this.waiting;
      this.waiting = null;
      try {
        await this.send(value);
      } catch {
        // Who sends tells the user; the next value may fare better.
      }
    }
    this.isBusy = false;
  }
}
