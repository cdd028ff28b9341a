/// With which key this host speaks on `tcp://`, and which hosts it knows.
///
/// A host may have two keys while it changes from one to the other: both are admitted, and who connects to it tries one
/// after the other.
package struct WireKeys: Sendable {
    /// The pair that this host's programs use, at both ends.
    package let own: CurveKeyPair
    /// The keys of each host, by the host of its endpoints; the first is tried first.
    package let hosts: [String: [CurvePublicKey]]

    package init(own: CurveKeyPair, hosts: [String: [CurvePublicKey]]) {
        self.own = own
        self.hosts = hosts
    }

    /// Who may connect.
    var admitted: Set<CurvePublicKey> { Set(hosts.values.joined()) }
}

/// What CURVE needs of one socket.
enum SocketSecurity {
    /// On `ipc://` the folder's mode decides who connects.
    case none
    case server(CurveKeyPair)
    case client(CurveKeyPair, server: CurvePublicKey)
}

extension WireKeys? {
    /// What a socket needs; the key of a host that has several is another one at each attempt.
    ///
    /// - Throws: `ZeroMQError.noKeys`, `ZeroMQError.unknownHost`.
    func security(for plan: SocketPlan, attempt: Int) throws(ZeroMQError) -> SocketSecurity {
        guard let host = plan.address.host else { return .none }
        guard let self else { throw .noKeys(plan.address.endpoint) }
        switch plan.kind {
        case .router: return .server(self.own)
        case .dealer:
            guard let keys = self.hosts[host], !keys.isEmpty else {
                throw .unknownHost(plan.address.endpoint)
            }
            return .client(self.own, server: keys[attempt % keys.count])
        }
    }
}
