import ArgumentParser
import Contracts
import FoundationEssentials
import Program

/// Where `counterfoil listen` forwards webhooks: a server on this machine.
struct ForwardTarget: ExpressibleByArgument, Sendable {
    let url: String

    /// Nil for what is no URL of this machine: purchases go to no other one in clear text by a slip of the pen.
    init?(argument: String) {
        guard let parsed = URL(string: argument), ["http", "https"].contains(parsed.scheme),
            let host = parsed.host(), parsed.user() == nil, Configuration.Webhook.isThisMachine(host)
        else { return nil }
        url = argument
    }
}
