import ArgumentParser
import FoundationEssentials
import Program

/// Where `counterfoil listen` forwards webhooks: a server on this machine.
struct ForwardTarget: Sendable {
    let url: String

    /// Refuses what is no URL of this machine: purchases go to no other one by a slip of the pen.
    init(_ text: String) throws {
        guard let parsed = URL(string: text), ["http", "https"].contains(parsed.scheme),
            let host = parsed.host(), parsed.user() == nil, Configuration.Webhook.isThisMachine(host)
        else {
            let advice = "write one such as http://localhost:3000/hooks"
            throw ValidationError("it is no URL of a server on this machine; \(advice)")
        }
        url = text
    }
}
