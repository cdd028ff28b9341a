import Program
import ZeroMQ

/// A key of this host, and what the written configuration makes of it.
struct KeyRow: Encodable, Equatable {
    enum State: String, Encodable {
        /// This host speaks with it.
        case used = "in use"
        /// Others admit it.
        case named
        case unnamed = "not in the configuration"
    }

    let key: String
    let state: State

    init(_ key: CurvePublicKey, of keys: HostKeys, in wire: Configuration.Wire?) {
        self.key = key.description
        let own = wire.flatMap(keys.match(in:))
        state =
            if own?.pair.publicKey == key { .used } else {
                own?.host.keys.contains(self.key) == true ? .named : .unnamed
            }
    }
}
