extension Configuration {
    /// How long is kept what phones handed in.
    package struct Retention: Encodable, Hashable, Sendable {
        /// Days for which a proof is kept as it came when nothing is said.
        package static let standardProofDays = 400
        /// For how many days a proof may be kept as it came.
        package static let proofDays = 1...36_500

        /// Days after which only digest and facts are kept of a proof whose transactions are settled.
        package var proofDays: Int

        package init(proofDays: Int = standardProofDays) { self.proofDays = proofDays }
    }
}

extension Configuration.Retention {
    init(_ value: ConfigurationValue) throws(ConfigurationError) {
        let object = try value.object(["proofDays"])
        self.init(
            proofDays: try object["proofDays"]?.integer(in: Self.proofDays) ?? Self.standardProofDays
        )
    }
}
