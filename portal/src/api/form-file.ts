// A file that a call sends in a form, as the drawer shows it: by its name.
export class FormFile {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}
