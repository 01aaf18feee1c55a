const WORD = /^([^=]+)=(-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?)$/;
const MOST = 1e15; // in either direction

/** The bot has no such parameter; the message is a sentence for its author, and ends a bot that does not catch it. */
export class ParameterError extends Error {}

/** The parameters that bot.toml declares, as the organiser has set them. */
export class Parameters {
  private readonly values = new Map<string, string>(); // as they were written

  /** Reads a list such as "depth=4,trust=0.5". The last value of a name counts. Throws if it is something else. */
  constructor(written: string) {
    for (const word of written.split(",").filter(Boolean)) {
      const [, name, number] = WORD.exec(word) ?? [];
      if (!name || Math.abs(Number(number)) > MOST)
        throw new Error(
          `BALLCOURT_PARAMETERS is '${written}'; it must be NAME=NUMBER, several separated by commas, ` +
            "for example depth=4,trust=0.5",
        );
      this.values.set(name, number!);
    }
  }

  /** The names of the parameters. */
  get names(): string[] {
    return [...this.values.keys()];
  }

  /** Returns the value of a parameter whose numbers in bot.toml are whole. Throws ParameterError. */
  whole(name: string): number {
    const written = this.written(name);
    if (/[.eE]/.test(written))
      throw new ParameterError(
        `the parameter '${name}' is ${written}; it must be a whole number: write its default, least and most in ` +
          "bot.toml without a point",
      );
    return Number(written);
  }

  /** Returns the value of a parameter. Throws ParameterError. */
  number(name: string): number {
    return Number(this.written(name));
  }

  private written(name: string): string {
    const value = this.values.get(name);
    if (value === undefined)
      throw new ParameterError(`there is no parameter '${name}'; bot.toml declares ${this.names.join(", ") || "none"}`);
    return value;
  }
}

let own: Parameters | undefined;

/** Returns the parameters of the bot. Their values never change while it runs. */
export function parameters(): Parameters {
  own ??= new Parameters(process.env.BALLCOURT_PARAMETERS ?? "");
  return own;
}
