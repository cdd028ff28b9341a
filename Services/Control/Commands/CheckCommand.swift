import ArgumentParser
import Domain
import Program

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks configuration, keys and certificates, and changes nothing.",
        discussion: """
            `up`, `restart` and `scale` do this by themselves. Exit code 0: every program can begin with them. \
            2: they cannot be used, and one line says where and why. 75: PostgreSQL does not answer now. A file \
            with secrets that every user of the machine may read is a warning. A catalog that is not loaded yet \
            is checked by `catalog check`. --webhook-secrets is for a library of Standard Webhooks; what it prints is as \
            secret as the configuration: keep it out of logs.
            """
    )

    @OptionGroup var option: HomeOption

    @Flag(help: "Print only the secret of each app's webhooks as Standard Webhooks has it, whsec_…")
    var webhookSecrets = false

    func run() throws {
        let home = option.home
        let checked = try ConfigurationCheck(home: home, launcher: .standard(home)).run()
        guard webhookSecrets else {
            print("configuration \(checked.version) can be used")
            return
        }
        let secrets = try WebhookSecrets(of: home, apps: checked.configuration.apps)
        for (app, secret) in secrets.known { print("\(app) \(WebhookSignature.standardForm(of: secret))") }
    }
}
