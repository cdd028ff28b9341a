import ArgumentParser
import Contracts
import Delivery
import Program

struct ListenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen",
        abstract: "Forwards the webhooks of a test home to a server on this machine, until Ctrl-C.",
        discussion: """
            Every webhook of every app, also of one without `webhook` in counterfoil.json, is forwarded once, signed, \
            and printed with the answer. No delivery depends on it: the app's own server gets all of them in any \
            case. Of an app without a webhook they are signed with the secret in listen.secret of the home, which is \
            made the first time. `counterfoil check --webhook-secrets` prints secrets as Standard Webhooks has them.

              counterfoil listen --forward-to http://localhost:3000/hooks

            Exit code 0: ended by Ctrl-C. 1: no test home. 2: wrong usage, such as another machine. 3: the group \
            does not run.
            """
    )

    @OptionGroup var option: HomeOption

    @Option(
        help: "The URL of a server on this machine (localhost, 127.0.0.1, [::1]).",
        transform: { try ForwardTarget($0) }
    )
    var forwardTo: ForwardTarget

    @Flag(help: "Begin with the oldest that is kept: 1,000 of a partition since somebody first listened.")
    var fromOldest = false

    @Flag(help: "Print one JSON object a line, with the body.")
    var json = false

    func run() async throws {
        let home = option.home
        guard home.isTest else { throw CommandFailure.noTestHome(home, for: "listen") }
        Launch.endWhenAsked()
        let apps = try Configuration(of: home).apps
        let secrets = try WebhookSecrets.made(of: home, apps: apps)
        let forwarder = WebhookForwarder(target: forwardTo, secrets: secrets) {
            ClockReading.current().now.milliseconds / 1_000
        }
        try await PartitionInquiry.of(home) { group in
            var listener = WebhookListener(group: group) { try show(await forwarder.forward($0)) }
            do {
                try await listener.begin(isFromOldest: fromOldest)
            } catch let failure as CommandFailure {
                throw failure.withCodeOfSilence
            }
            let shared = apps.map(\.bundleId).filter(secrets.isShared)
            let names = shared.map(\.rawValue).joined(separator: ", ")
            Terminal.warn("forwarding to \(forwardTo.url) until Ctrl-C")
            if !shared.isEmpty {
                Terminal.warn("\(names) is signed with the secret in \(home.listenSecretFile)")
            }
            while true {
                try await listener.round()
                try await group.pause()
            }
        }
    }

    private func show(_ outcome: WebhookForwarder.Outcome) throws {
        if json { try Terminal.printJSON(outcome) } else { print(outcome.text) }
        Terminal.flush()
    }
}

extension CommandFailure {
    /// With exit code 3 where nobody answered.
    var withCodeOfSilence: CommandFailure {
        var failure = self
        if isSilence { failure.exitCode = Self.notRunningCode }
        return failure
    }

    /// A command that is for test homes alone.
    static func noTestHome(_ home: Home, for command: String) -> CommandFailure {
        let advice = "make one with `counterfoil init --test`, or let `deploy/run` do it"
        let problem = "\(home.root) is no test home, and `\(command)` is for these"
        return CommandFailure(description: "\(problem); \(advice)")
    }
}
