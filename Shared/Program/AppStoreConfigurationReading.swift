import Foundation

extension Configuration {
    /// Where Apple's servers are played.
    static func appStore(_ value: ConfigurationValue, isTest: Bool) throws(ConfigurationError) -> String {
        guard isTest else {
            throw value.fault("is accepted only in a home made by `counterfoil init --test`; remove it")
        }
        let text = try value.string()
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host() != nil,
            url.query() == nil, url.fragment() == nil
        else { throw value.fault("\"\(text)\" is no URL; write http://host:port") }
        guard !text.hasSuffix("/") else {
            throw value.fault("\"\(text)\" ends with a slash; write it without, such as http://host:port")
        }
        return text
    }
}

extension Configuration.Recovery {
    init(_ value: ConfigurationValue) throws(ConfigurationError) {
        let object = try value.object(["everyMinutes"])
        self.init(
            everyMinutes: try object["everyMinutes"]?.integer(in: Self.minutes) ?? Self.standardMinutes
        )
    }
}

extension Configuration.AppStoreServer {
    init(_ value: ConfigurationValue) throws(ConfigurationError) {
        let object = try value.object(["issuerId", "keyId", "privateKey", "callsPerSecond"])
        self.init(
            issuerId: try object.required("issuerId")
                .word("write the issuer id that App Store Connect shows above its keys"),
            keyId: try object.required("keyId").word(
                "write the id that App Store Connect shows beside the key"
            ),
            privateKey: try object.required("privateKey").filePath(),
            callsPerSecond: try object["callsPerSecond"]?.integer(in: Self.callRates)
        )
    }
}

extension Configuration.VerifyReceipt {
    init(_ value: ConfigurationValue) throws(ConfigurationError) {
        let object = try value.object(["sharedSecret"])
        self.init(sharedSecret: try object["sharedSecret"].map(Self.secret))
    }

    /// A secret that Apple made, so its length is Apple's affair; it is never part of what is said.
    private static func secret(_ value: ConfigurationValue) throws(ConfigurationError) -> String {
        let secret = try value.string()
        guard !secret.isEmpty else {
            throw value.fault("is empty; write the app's shared secret of App Store Connect, or remove it")
        }
        guard secret.utf8.count <= maximumSecretLength, secret.utf8.allSatisfy(\.isVisibleASCII) else {
            let problem =
                "must be 1 to \(maximumSecretLength) visible ASCII characters without spaces; copy it again"
            throw value.fault(problem)
        }
        return secret
    }
}

extension ConfigurationValue {
    /// A text without spaces, as ids are.
    fileprivate func word(_ advice: String) throws(ConfigurationError) -> String {
        let text = try string()
        guard !text.isEmpty else { throw fault("is empty; \(advice)") }
        guard text.utf8.allSatisfy(\.isVisibleASCII) else {
            throw fault("must be of visible ASCII characters without spaces; \(advice)")
        }
        return text
    }

    /// The path of a file.
    fileprivate func filePath() throws(ConfigurationError) -> String {
        let text = try string()
        guard !text.isEmpty, !text.utf8.contains(0) else {
            throw fault("is empty or no path; name the file of the key, relative to the home")
        }
        return text
    }
}

extension UInt8 {
    /// Whether it is an ASCII character that leaves ink.
    var isVisibleASCII: Bool { self > 0x20 && self < 0x7F }
}
