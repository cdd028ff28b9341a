import Glibc

/// An address with its password, which no description and no error tells.
package struct ServerLogin: Sendable, CustomStringConvertible {
    /// Bytes of a file with a password, at most.
    static let maximumPasswordBytes = 1_024

    package let address: LogAddress
    private let password: String?

    /// Reads the password, if a file is named.
    ///
    /// - Throws: `LogAddress.Refusal`, also of variables that would tell libpq something else.
    package init(
        _ address: LogAddress,
        passwordFile: String? = nil,
        environment: [String: String]
    ) throws(LogAddress.Refusal) {
        self.address = address
        try Self.check(environment)
        if let passwordFile { password = try Self.password(in: passwordFile) } else { password = nil }
    }

    package var description: String { address.description }

    /// Variables that libpq, of this version or a later one, would read for what is not said otherwise.
    private static let variables: Set = [
        "PGPASSWORD", "PGSERVICE", "PGSERVICEFILE", "PGSYSCONFDIR", "PGOPTIONS", "PGHOSTADDR",
        "PGREQUIREPEER",
        "PGREQUIREAUTH", "PGREQUIRESSL", "PGSSLCRLDIR", "PGSSLPASSWORD", "PGSSLCERTMODE", "PGSSLCOMPRESSION",
        "PGSSLKEYLOGFILE", "PGSSLMAXPROTOCOLVERSION", "PGSSLNEGOTIATION", "PGSSLSNI", "PGKRBSRVNAME",
        "PGGSSLIB", "PGGSSDELEGATION", "PGTZ", "PGDATESTYLE", "PGGEQO", "PGCHANNELBINDING",
        "PGLOADBALANCEHOSTS", "PGMINPROTOCOLVERSION", "PGMAXPROTOCOLVERSION",
    ]

    static func check(_ environment: [String: String]) throws(LogAddress.Refusal) {
        guard let name = variables.intersection(environment.keys).min() else { return }
        throw LogAddress.Refusal("the environment has \(name), which would change the connection: unset it")
    }

    private static func password(in path: String) throws(LogAddress.Refusal) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            throw LogAddress.Refusal("the password's file \(path): \(String(cString: strerror(errno)))")
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw LogAddress.Refusal("the password's file \(path) is no file")
        }
        guard status.st_mode & 0o177 == 0 else {
            throw LogAddress.Refusal("others may read the password's file \(path): chmod 0600 \(path)")
        }
        guard status.st_uid == geteuid() || geteuid() == 0 else {
            throw LogAddress.Refusal("the password's file \(path) is another user's")
        }
        var bytes = [UInt8](repeating: 0, count: maximumPasswordBytes + 1)
        let count = read(file, &bytes, bytes.count)
        guard (0...maximumPasswordBytes).contains(count) else {
            throw LogAddress.Refusal("the password's file \(path) cannot be read, or is no password")
        }
        let line = bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard !line.isEmpty, !line.contains(0), let text = String(validating: line, as: UTF8.self) else {
            throw LogAddress.Refusal("the password's file \(path) has no password in its first line")
        }
        return text
    }

    /// No such file can be; where libpq looks for one in the home of a user, it is told this.
    private static let noFile = "/dev/null/none"
    private static let certificates = "/etc/ssl/certs/ca-certificates.crt"

    /// Everything that libpq would take from a user's home or environment is said here.
    ///
    /// With an address libpq looks up no name; the name is what the server has to prove.
    func parameters(
        for host: LogAddress.Host,
        at place: String? = nil
    ) -> [(keyword: String, value: String)] {
        var parameters = [
            ("host", host.name), ("port", String(host.port)), ("user", address.user),
            ("dbname", address.database), ("passfile", Self.noFile), ("application_name", "counterfoil"),
            ("client_encoding", "UTF8"), ("gssencmode", "disable"), ("target_session_attrs", "any"),
            ("sslmode", address.options["sslmode"] ?? "disable"),
            ("sslrootcert", address.options["sslrootcert"] ?? Self.certificates),
            ("sslcert", address.options["sslcert"] ?? Self.noFile),
            ("sslkey", address.options["sslkey"] ?? Self.noFile), ("sslcrl", Self.noFile),
            ("ssl_min_protocol_version", "TLSv1.2"), ("keepalives", "1"), ("keepalives_idle", "5"),
            ("keepalives_interval", "2"), ("keepalives_count", "3"), ("tcp_user_timeout", "5000"),
        ]
        if let place { parameters.append(("hostaddr", place)) }
        if let password { parameters.append(("password", password)) }
        return parameters.map { (keyword: $0.0, value: $0.1) }
    }
}
