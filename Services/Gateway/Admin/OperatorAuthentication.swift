import Contracts
import HTTPTypes
import Program

/// Tells from its key which operator asks.
struct OperatorAuthentication: Sendable {
    private static let scheme = "bearer "

    private let register: @Sendable () throws(Problem) -> OperatorRegister

    /// Of these operators, for ever.
    init(_ register: OperatorRegister = OperatorRegister()) {
        self.register = { () throws(Problem) in register }
    }

    init(_ follower: OperatorFollower) {
        register = { () throws(Problem) in try follower.current() }
    }

    /// The operator whose key a request carries; 401 without one, 403 where the role may not do this.
    ///
    /// Who is refused for the role is noted, too, for the log of requests. Only the header counts: a browser sends
    /// cookies by itself, wherever the request comes from.
    func acting(_ headers: HTTPFields, as role: OperatorRole) throws(Problem) -> Operator {
        guard let credentials = headers[.authorization],
            credentials.prefix(Self.scheme.count).lowercased() == Self.scheme
        else { throw .operatorKeyNeeded }
        let digest = Operator.digest(of: credentials.dropFirst(Self.scheme.count))
        guard let found = try register().active(digest: digest) else { throw .operatorKeyUnknown }
        RequestNote.add { $0.caller = "operator \(found.id)" }
        guard found.role >= role else { throw .roleNeeded(role) }
        return found
    }

    /// The names of all operators that ever were, by the ids that records have.
    func names() throws(Problem) -> [String: String] {
        let pairs = try register().operators.map { ($0.id.rawValue, $0.name) }
        return Dictionary(pairs) { first, _ in first }
    }
}
