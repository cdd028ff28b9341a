/// Where the commit log is: the PostgreSQL servers, of which one is the primary, and how they are spoken to.
///
///     postgresql://counterfoil@db-1.example.com,db-2.example.com:5433/counterfoil?sslmode=verify-full
///
/// A password never stands in it; `ServerLogin` has it from a file. Beyond this machine it demands that the server
/// proves its name by a certificate.
package struct LogAddress: Hashable, Sendable, CustomStringConvertible {
    /// One server.
    package struct Host: Hashable, Sendable, CustomStringConvertible {
        /// A name, an address, or the folder of a socket, which begins with `/`.
        package let name: String
        package let port: UInt16

        /// Whether it is this machine by whatever way the name says.
        package var isHere: Bool {
            name.hasPrefix("/") || name == "localhost" || name == "::1" || isLoopback
        }

        private var isLoopback: Bool {
            let parts = name.split(separator: ".", omittingEmptySubsequences: false)
            return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
        }

        package var description: String { name.contains(":") ? "[\(name)]:\(port)" : "\(name):\(port)" }
    }

    /// Why a text is no address; `description` has nothing of the text but what names a server.
    package struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String

        init(_ description: String) { self.description = description }
    }

    static let maximumHosts = 8
    private static let defaultPort: UInt16 = 5_432
    /// What libpq takes from the address; everything else is decided here.
    private static let known: Set = ["sslmode", "sslrootcert", "sslcert", "sslkey", "host"]
    private static let knownNames = known.sorted().joined(separator: ", ")

    package let hosts: [Host]
    package let user: String
    package let database: String
    /// By their names; without `host`.
    package let options: [String: String]

    /// Whether servers prove who they are.
    package var isVerified: Bool { options["sslmode"] == "verify-full" }

    /// Takes an address apart.
    ///
    /// - Throws: `Refusal`.
    package init(_ text: String) throws(Refusal) {
        let schemes = ["postgresql://", "postgres://"]
        guard let scheme = schemes.first(where: text.hasPrefix) else {
            throw Refusal("the log's address begins with postgresql://")
        }
        let body = text.dropFirst(scheme.count)
        let halves = body.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        // A password with a question mark would end among the parameters.
        guard halves.count == 1 || !halves[1].contains("@") else { throw Self.passwordRefusal }
        options = try Self.options(halves.count > 1 ? halves[1] : "")
        let (place, path) = Self.cut(halves[0], at: "/")
        let (login, list) = place.contains("@") ? Self.cut(place, at: "@", last: true) : ("", place)
        guard !login.contains(":"), options["password"] == nil else { throw Self.passwordRefusal }
        user = try Self.plain(login, "the user")
        database = try Self.plain(path, "the database")
        guard !user.isEmpty else {
            throw Refusal("the log's address names no user: postgresql://USER@HOST/DATABASE")
        }
        guard !database.isEmpty else {
            throw Refusal("the log's address names no database: postgresql://USER@HOST/DATABASE")
        }
        hosts = try Self.hosts(list.isEmpty ? options["host"].map { $0[...] } ?? "" : list)
        try checkProof()
    }

    private static let passwordRefusal = Refusal(
        "the log's address holds a password, which lists of processes and logs would show: take it out,"
            + " write it into a file of mode 0600 and name that file"
    )

    private func checkProof() throws(Refusal) {
        if let mode = options["sslmode"], mode != "verify-full", mode != "disable" {
            throw Refusal("sslmode is verify-full, or disable on this machine; the others prove nothing")
        }
        guard let far = hosts.first(where: { !$0.isHere }), !isVerified else { return }
        throw Refusal("\(far) is not this machine: the log's address needs sslmode=verify-full")
    }

    private static func options(_ text: Substring) throws(Refusal) -> [String: String] {
        var options: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let (rawName, rawValue) = cut(pair, at: "=")
            let name = String(rawName)
            guard name != "password", name != "passfile" else { throw passwordRefusal }
            guard known.contains(name) else {
                throw Refusal("the log's address has a parameter that is not one of \(Self.knownNames)")
            }
            guard options[name] == nil else { throw Refusal("the log's address says \(name) twice") }
            options[name] = try plain(rawValue, name)
        }
        return options
    }

    private static func hosts(_ list: Substring) throws(Refusal) -> [Host] {
        var hosts: [Host] = []
        for item in list.split(separator: ",", omittingEmptySubsequences: false) {
            let host = try host(item)
            guard !hosts.contains(host) else { throw Refusal("the log's address names \(host) twice") }
            hosts.append(host)
        }
        guard hosts.count <= maximumHosts else {
            throw Refusal("the log's address names more than \(maximumHosts) servers")
        }
        return hosts
    }

    private static func host(_ item: Substring) throws(Refusal) -> Host {
        var (name, port) = (item, Substring())
        if item.hasPrefix("[") {
            let (inner, rest) = cut(item.dropFirst(), at: "]")
            guard item.contains("]"), rest.isEmpty || rest.hasPrefix(":") else {
                throw Refusal("the log's address has a wrong port")
            }
            (name, port) = (inner, rest.dropFirst())
            if rest == ":" { port = ":" }
        } else if let colon = item.firstIndex(of: ":") {
            (name, port) = (item[..<colon], item[item.index(after: colon)...])
            if port.isEmpty { port = ":" }
        }
        let plainName = try plain(name, "a server")
        guard !plainName.isEmpty else {
            throw Refusal("the log's address names no server: postgresql://USER@HOST/DATABASE")
        }
        guard !plainName.contains(",") else {
            throw Refusal("the log's address has a comma in the name of a server")
        }
        guard !port.isEmpty else { return Host(name: plainName, port: defaultPort) }
        guard let number = UInt16(port), number > 0 else {
            throw Refusal("the log's address has a wrong port")
        }
        return Host(name: plainName, port: number)
    }

    private static func cut(
        _ text: Substring,
        at mark: Character,
        last: Bool = false
    ) -> (Substring, Substring) {
        guard let index = last ? text.lastIndex(of: mark) : text.firstIndex(of: mark) else {
            return (text, "")
        }
        return (text[..<index], text[text.index(after: index)...])
    }

    /// Text without percent signs: `%2F` is `/`.
    ///
    /// Not by Domain's `percentDecoded`, because this module stands on Database alone, and tells two faults apart.
    private static func plain(_ text: Substring, _ what: String) throws(Refusal) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte != UInt8(ascii: "%") {
                bytes.append(byte)
                continue
            }
            guard let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                throw Refusal("the log's address has a % that means nothing, in \(what)")
            }
            bytes.append(code)
            rest = rest.dropFirst(2)
        }
        guard let plain = String(validating: bytes, as: UTF8.self), !bytes.contains(where: { $0 < 0x20 })
        else {
            throw Refusal("the log's address has a character that cannot be in it, in \(what)")
        }
        return plain
    }

    package var description: String {
        let list = hosts.map(\.description).joined(separator: ",")
        return "postgresql://\(user)@\(list)/\(database)"
    }
}
